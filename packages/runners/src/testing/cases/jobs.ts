import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { isSkillError, type ScriptJob } from '@repertoire/core'
import { jobOf, LIMITS, type RunnerCase, textOf } from '../case.ts'

const ARGUMENTS = [
  ';id',
  '$(id)',
  '`id`',
  'a b',
  "it's",
  '"',
  '*',
  '',
  '-n',
  'line\nbreak',
  '漢',
  '\\',
  '$HOME',
  '&&',
  '~',
]

/** What a job is, and what comes back. */
export const jobCases: readonly RunnerCase[] = [
  {
    title: '[RUN-7] returns the exit code and both streams',
    async run({ sh }) {
      const result = await sh('echo out; echo err >&2; exit 3')
      assert.equal(result.end, 'exited')
      assert.equal(result.exitCode, 3)
      assert.equal(textOf(result.stdout), 'out\n')
      assert.match(textOf(result.stderr), /^err\n/)
      assert.deepEqual(result.dropped, { stdout: 0, stderr: 0 })
      assert.ok(result.durationMs >= 0)
    },
  },
  {
    title: "[RUN-7] starts in a copy of the skill's folder, with every file where it belongs",
    async run({ sh }) {
      const long = `${'folder/'.repeat(20)}long.txt`
      const files = ['data/café 漢.txt', long].map((path) => ({
        path,
        bytes: Buffer.from(`in ${path}`),
        executable: false,
      }))
      const { stdout } = await sh(
        `cat "data/café 漢.txt"; cat "$SKILL_DIR/${long}"; [ "$(pwd)" = "$SKILL_DIR" ] && echo here`,
        { files },
      )
      assert.equal(textOf(stdout), `in data/café 漢.txtin ${long}here\n`)
    },
  },
  {
    title: '[RUN-7] gives the script its standard input, and an empty one where there is none',
    async run({ sh }) {
      const stdin = Buffer.from('漢字\n'.repeat(20_000))
      assert.equal(textOf((await sh('wc -c', { stdin })).stdout).trim(), `${stdin.byteLength}`)
      assert.equal(textOf((await sh('wc -c')).stdout).trim(), '0')
      assert.equal((await sh('exit 0', { stdin })).exitCode, 0)
    },
  },
  {
    title: '[ABUSE-51] passes arguments literally',
    async run({ sh }) {
      const { stdout } = await sh(`for word in "$@"; do printf '<%s>' "$word"; done`, { args: ARGUMENTS })
      assert.equal(textOf(stdout), ARGUMENTS.map((word) => `<${word}>`).join(''))
    },
  },
  {
    title: '[RUN-7, ABUSE-51] refuses files outside of the folder, no script, and words that no system passes',
    async run({ runner }) {
      const long = 'x'.repeat(3_000_000)
      const paths = ['../x', '/x', 'a/../../x', 'a//b', '', 'scripts/case.sh', 'scripts']
      const wrong: readonly Partial<ScriptJob>[] = [
        ...paths.map((path) => ({ files: [{ path, bytes: new Uint8Array(), executable: false }] })),
        { script: 'other.sh' },
        { args: ['a\0b'] },
        { args: [long] },
        { args: ['\ud800'] },
        { environment: { A: 'a\0b' } },
        { environment: { 'A=B': '1' } },
        { environment: { A: long } },
      ]
      for (const changes of wrong) await assert.rejects(runner.run(jobOf('echo ran', changes)), isNotStarted)
    },
  },
  {
    title: '[ABUSE-56] refuses an interpreter that is not there, with the reason',
    async run({ runner }) {
      const interpreter = 'no-such-interpreter'
      const supported = runner.supports(interpreter)
      if (supported !== true) assert.match(supported, /^\p{Lu}.*no-such-interpreter/u)
      await assert.rejects(
        runner.run(jobOf('echo ran', { interpreter })),
        (error) => isNotStarted(error) && /no-such-interpreter/.test(String(error)),
      )
      assert.equal(runner.supports('sh'), true)
    },
  },
  {
    title: '[RUN-9] gives exactly the environment of the job, and variables of its own',
    async run({ sh }) {
      const name = 'REPERTOIRE_CONTRACT_SECRET'
      process.env[name] = 'of the host'
      try {
        const { stdout } = await sh(
          `env; for name in SKILL_DIR TMPDIR HOME PATH; do eval "[ -n \\"\\$$name\\" ]" && echo "has $name"; done`,
          { environment: { GIVEN: 'by the job', HOME: '/elsewhere', SKILL_DIR: '/elsewhere' } },
        )
        const lines = textOf(stdout).split('\n')
        assert.ok(lines.includes('GIVEN=by the job'))
        assert.ok(lines.includes('LANG=C.UTF-8'), 'the locale is not one of UTF-8')
        for (const variable of ['SKILL_DIR', 'TMPDIR', 'HOME', 'PATH'])
          assert.ok(lines.includes(`has ${variable}`), variable)
        assert.ok(!lines.some((line) => line.includes('/elsewhere')), 'a variable of the runner was replaced')
        assert.ok(!lines.some((line) => line.includes('of the host')), 'the environment of the host was visible')
      } finally {
        delete process.env[name]
      }
    },
  },
  {
    title: "[RUN-9] keeps scripts from changing the skill's files",
    promise: 'read-only-files',
    async run({ sh }) {
      const { stdout } = await sh(
        'chmod -R u+w . 2>/dev/null; echo x >>scripts/case.sh && echo changed; echo x >new && echo added; rm -f scripts/case.sh && echo removed; true',
      )
      assert.equal(textOf(stdout), '')
    },
  },
  {
    title: '[RUN-7] runs several jobs at once, each with an empty temporary folder of its own',
    async run({ sh }) {
      const script = 'ls -A "$TMPDIR"; echo "$1" >"$TMPDIR/x"; cat "$TMPDIR/x"'
      for (const words of [['a', 'b', 'c'], ['d']]) {
        const results = await Promise.all(words.map((word) => sh(script, { args: [word] })))
        assert.equal(results.map(({ stdout }) => textOf(stdout)).join(''), `${words.join('\n')}\n`)
      }
    },
  },
  {
    title: '[RUN-9] ends what runs when it is closed, and starts nothing any more',
    async run({ open }) {
      const other = await open()
      const running = other.run(jobOf('sleep 100', { limits: { ...LIMITS, timeout: 6_000 } }))
      await other.close?.()
      assert.equal((await running).end, 'aborted')
      await assert.rejects(other.run(jobOf('echo ran')), isNotStarted)
    },
  },
]

function isNotStarted(error: unknown): boolean {
  return isSkillError(error) && error.code === 'SCRIPT_NOT_STARTED'
}
