import process from 'node:process'

const isWindows = process.platform === 'win32'

/** What reads the suite's own scripts: a shell, which starts in a fraction of Node's time, and Node where there is none. */
export const OWN_INTERPRETER = isWindows ? 'node' : 'sh'

/** The ending of the suite's own scripts. */
export const ENDING = isWindows ? 'mjs' : 'sh'

/**
 * The suite's own scripts by what they do: print each argument in brackets, fail behind output on both streams, print more
 * than is shown, wait until they are stopped, and print a word.
 */
export const OWN_SCRIPTS = isWindows
  ? {
      args: 'for (const each of process.argv.slice(2)) console.log(`[${each}]`)\n',
      fail: 'console.log("so far")\nconsole.error("not found: a & <b>")\nprocess.exitCode = 3\n',
      flood:
        'console.log("first line")\nfor (let line = 0; line < 5000; line++) console.log("x".repeat(40))\nconsole.log("\\u001b[31mlast\\u001b[0m \\u200bline")\n',
      wait: 'setTimeout(() => undefined, 60_000)\n',
      word: 'console.log("one")\n',
    }
  : {
      args: 'for each in "$@"; do printf \'[%s]\\n\' "$each"; done\n',
      fail: "echo 'so far'\necho 'not found: a & <b>' >&2\nexit 3\n",
      flood: `echo 'first line'\nline=0\nwhile [ $line -lt 5000 ]; do echo ${'x'.repeat(40)}; line=$((line + 1)); done\nprintf '\\033[31mlast\\033[0m \\342\\200\\213line\\n'\n`,
      wait: 'exec sleep 60\n',
      word: 'echo one\n',
    }
