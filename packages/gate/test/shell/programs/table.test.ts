import { describe, expect, test } from 'vitest'
import { readCommandLine } from '../../../src/shell/command-line.ts'
import { uncoveredUse } from '../../../src/shell/prefix.ts'
import type { Program } from '../../../src/shell/programs/program.ts'
import { programName } from '@repertoire/gate/internal/programs'
import { PROGRAMS } from '../../../src/shell/programs/programs.ts'

/** The words of an example, of which parts may stand in single quotes. */
function wordsOf(command: string): readonly string[] {
  return (command.match(/(?:'[^']*'|\S)+/g) ?? []).map((word) => word.replaceAll("'", ''))
}

/** The example for each of the program's names. */
function forNames({ names: [first = '', ...others] }: Program, example: string): readonly string[] {
  const parts = example.split(/(?<=\s)|(?=\s)/)
  return [first, ...others].map((name) => parts.map((part) => (part === first ? name : part)).join(''))
}

function examplesOf(kind: 'permitted' | 'refused' | 'harmless'): readonly string[] {
  return PROGRAMS.flatMap((program) => (program.examples[kind] ?? []).flatMap((example) => forNames(program, example)))
}

const records = PROGRAMS.map((program) => [program.names.slice(0, 3).join(', '), program] as const)

describe('the table of programs', () => {
  test('[GATE-3] names each program once, as words name it', () => {
    const names = PROGRAMS.flatMap((program) => program.names)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(names.filter((name) => programName(name) !== name)).toEqual([])
  })

  test.each(examplesOf('permitted'))('[GATE-3] %s runs and writes nothing else', (command) => {
    expect(uncoveredUse(wordsOf(command), 1)).toBeUndefined()
  })

  test.each(examplesOf('refused'))('[ABUSE-41] %s may run or write something else', (command) => {
    const words = wordsOf(command)
    expect(uncoveredUse(words, 1)).toBeDefined()
    expect(uncoveredUse([`/usr/bin/${words[0]}.exe`, ...words.slice(1)], 1)).toBeDefined()
  })

  test.each(
    PROGRAMS.flatMap((program) =>
      (program.examples.mutates ?? []).flatMap(([example, path]) =>
        forNames(program, example).map((command) => [command, path] as const),
      ),
    ),
  )('[ABUSE-97] %s mutates %s', (command, path) => {
    const paths = readCommandLine(command).mutatedPaths
    expect(paths.map((one) => one.path)).toContain(path)
  })

  test.each(examplesOf('harmless'))('[ABUSE-97] %s mutates nothing', (command) => {
    expect(readCommandLine(command).mutatedPaths).toEqual([])
  })

  test.each(records)(
    '[GATE-3, ABUSE-41] says of %s with examples what may run or write something else',
    (_, program) => {
      const { exactOnly, namesScript, unsafe, judge, examples } = program
      const limits = [exactOnly, namesScript, unsafe, judge].filter((limit) => limit !== undefined)
      expect(limits.length).toBeLessThanOrEqual(1)
      expect(examples.refused !== undefined).toBe(limits.length > 0)
      if (unsafe !== undefined || judge !== undefined) expect(examples.permitted?.length).toBeGreaterThan(0)
      // Examples hold only what the record says.
      if (exactOnly !== undefined || namesScript !== undefined) expect(examples.permitted).toBeUndefined()
    },
  )

  test.each(records)('[ABUSE-97] says of %s with examples what it mutates', (_, program) => {
    const { mutates, wraps, runsShell, examples } = program
    expect(examples.mutates !== undefined).toBe(mutates !== undefined || wraps !== undefined || runsShell !== undefined)
    if (program.readsOnly === true) expect([mutates, wraps, runsShell]).toEqual([undefined, undefined, undefined])
  })

  test('[ABUSE-97] unwraps each program whose purpose is to run another one', () => {
    // What these run is written in a language of theirs, runs elsewhere, is chosen by a person, or stands in a file.
    const others =
      'awk gawk mawk nawk sed gsed dc tclsh wish expect osascript gs mlr conjure ssh sftp lftp mosh autossh sshfs ssh-copy-id ' +
      'socat ncat scp vi vim nvim view rvim ed ex emacs most man fzf sk tig lazygit less more crontab run-parts dbus-send ' +
      'rundll32 mshta open xdg-open ldd as ld ld.bfd ld.gold ld.lld lld mold javac kotlinc scalac'
    const notUnwrapped = PROGRAMS.filter(
      ({ exactOnly, wraps, runsShell }) => exactOnly === 'runs-programs' && wraps === undefined && runsShell !== true,
    ).flatMap((program) => program.names)
    expect(notUnwrapped.toSorted()).toEqual(others.split(' ').toSorted())
  })
})
