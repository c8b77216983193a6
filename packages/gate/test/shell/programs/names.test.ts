import { describe, expect, test } from 'vitest'
import { findProgram, programName, runsShell } from '@repertoire/gate/internal/programs'
import { readsCommands } from '../../../src/shell/programs/programs.ts'

describe('the name of a program', () => {
  test.each([
    'tar',
    '/usr/bin/tar',
    './tar',
    'TAR',
    'tar.exe',
    'Tar.EXE',
    'C:\\Windows\\System32\\tar.exe',
    'tar.com',
    'tar.cmd',
    'tar.bat',
    'tar@1.35',
    '@scope/tar@latest',
  ])('[ABUSE-41, ABUSE-97] is tar in %s', (word) => {
    expect(programName(word)).toBe('tar')
  })

  test.each([
    ['', ''],
    ['.', '.'],
    ['/', ''],
    ['@', '@'],
    ['@1', '@1'],
    ['tar.sh', 'tar.sh'],
    ['ld-linux-x86-64.so.2', 'ld-linux-x86-64.so.2'],
    ['.exe', ''],
  ])('[GATE-3] in %j is %j', (word, name) => {
    expect(programName(word)).toBe(name)
  })

  test.each(['gtar', 'bsdtar'])('[ABUSE-41, ABUSE-97] may be another one of the same program: %s', (name) => {
    expect(findProgram(name)).toBe(findProgram('tar'))
  })

  test.each(['', '/', '@', 'constructor', '__proto__', 'tarx', 'x-tar', 'tar.sh'])(
    '[GATE-3] belongs to no program of the table: %j',
    (word) => {
      expect(findProgram(word)).toBeUndefined()
    },
  )
})

describe('programs that are given command lines', () => {
  test.each(
    (
      'sh bash dash ash zsh ksh mksh rbash fish csh tcsh nu eval su watch script powershell pwsh cmd trap runuser tmux ' +
      'screen at batch flock parallel hyperfine entr capsh /bin/SH cmd.exe'
    ).split(' '),
  )('[ABUSE-97] %s takes one as a word', (word) => {
    expect(runsShell(word)).toBe(true)
    expect(readsCommands(word)).toBe(true)
  })

  test.each('. source alias xargs ssh /usr/bin/xargs SSH'.split(' '))(
    '[ABUSE-97] %s has its words read once more, and takes none as a word',
    (word) => {
      expect(runsShell(word)).toBe(false)
      expect(readsCommands(word)).toBe(true)
    },
  )

  test.each(['env', 'sudo', 'git', 'ls', 'uv', ''])('[ABUSE-97] %j takes none', (word) => {
    expect(runsShell(word)).toBe(false)
    expect(readsCommands(word)).toBe(false)
  })

  test('[ABUSE-97] no word is none of them', () => {
    expect(runsShell(undefined)).toBe(false)
  })
})
