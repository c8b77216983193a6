import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { safeGitEnvironment } from '../../src/internal.ts'

/** A repository whose own configuration names programs: each leaves a mark when it runs. */
let folder: string
let mark: string
let program: string

// Nothing of the machine's own configuration has a part in it.
const quiet = { PATH: process.env['PATH'], HOME: tmpdir(), GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }

function git(args: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  return execFileSync('git', args, {
    cwd: folder,
    env: { ...quiet, ...environment },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The environment without one of its settings, to see that it is that one which counts. */
function without(setting: string): Readonly<Record<string, string>> {
  const environment = safeGitEnvironment()
  const settings = Array.from({ length: Number(environment['GIT_CONFIG_COUNT']) }, (_, index) => [
    environment[`GIT_CONFIG_KEY_${index}`]!,
    environment[`GIT_CONFIG_VALUE_${index}`]!,
  ])
  const left = settings.filter(([key]) => key !== setting)
  expect(left.length).toBe(settings.length - 1)
  return {
    ...environment,
    GIT_CONFIG_COUNT: String(left.length),
    ...Object.fromEntries(
      left.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  }
}

/** Whether a program that the repository names ran while git did this. */
function runsAnother(args: readonly string[], environment?: Readonly<Record<string, string>>): boolean {
  rmSync(mark, { force: true })
  git(args, environment)
  return existsSync(mark)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-git-'))
  mark = join(folder, '.git', 'ran')
  git(['init', '--quiet'])
  git(['config', 'user.email', 'a@example.com'])
  git(['config', 'user.name', 'A'])
  git(['commit', '--quiet', '--allow-empty', '--message', 'first'])
  program = join(folder, '.git', 'program.sh')
  writeFileSync(program, `#!/bin/sh\n: > '${mark}'\nexit 0\n`)
  chmodSync(program, 0o700)
  for (const hook of ['post-index-change', 'post-commit', 'pre-commit']) {
    writeFileSync(join(folder, '.git', 'hooks', hook), `#!/bin/sh\n: > '${mark}'\n`)
    chmodSync(join(folder, '.git', 'hooks', hook), 0o700)
  }
  git(['config', 'gpg.format', 'ssh'])
  for (const key of ['gpg.ssh.defaultKeyCommand', 'core.gitProxy', 'core.fsmonitor', 'core.editor', 'core.sshCommand'])
    git(['config', key, program])
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('safeGitEnvironment', () => {
  it.each([
    ['a file system monitor', ['status', '--short']],
    ['hooks', ['commit', '--quiet', '--allow-empty', '--message', 'second']],
    ['an editor', ['commit', '--quiet', '--allow-empty', '--amend', '--no-edit']],
  ])('[ABUSE-40] keeps a crafted repository from running %s', (_, args) => {
    // Without it the repository is one that runs programs.
    expect(runsAnother(args)).toBe(true)
    expect(runsAnother(args, safeGitEnvironment())).toBe(false)
  })

  it.each([
    [
      'the command that finds a key to sign with',
      ['commit', '--quiet', '--allow-empty', '--gpg-sign', '--message', 'x'],
    ],
    ['a proxy', ['fetch', '--quiet', 'git://127.0.0.1:1/x']],
  ])('[ABUSE-40] keeps it from running %s', (_, args) => {
    const attempt = (environment?: Readonly<Record<string, string>>): boolean => {
      try {
        return runsAnother(args, environment)
      } catch {
        // Neither has what it would need to succeed.
        return existsSync(mark)
      }
    }
    expect(attempt(), 'the repository is one that runs programs').toBe(true)
    expect(attempt(safeGitEnvironment())).toBe(false)
  })

  it.each([
    ['core.alternateRefsCommand', 'lists the references of alternates', ['log', '--alternate-refs', '--max-count=1']],
    ['tar.tgz.command', 'compresses an archive', ['archive', '--format=tgz', '--output=/dev/null', 'HEAD']],
    ['tar.tar.gz.command', 'does so', ['archive', '--format=tar.gz', '--output=/dev/null', 'HEAD']],
    ['rebase.instructionFormat', 'is a line of a rebase', ['rebase', '--quiet', '--force-rebase', '--root']],
    ['help.autoCorrect', 'is an alias like what was mistyped', ['statas']],
  ])('[ABUSE-40] by its setting %s keeps git from running what %s', (setting, _, args) => {
    const values: Readonly<Record<string, string>> = {
      'rebase.instructionFormat': `%s%nexec ${program}`,
      'help.autoCorrect': 'immediate',
    }
    const alternates = join(folder, '.git', 'objects', 'info', 'alternates')
    git(['clone', '--quiet', '--bare', '.', '.git/other.git'], safeGitEnvironment())
    try {
      writeFileSync(alternates, `${join(folder, '.git', 'other.git', 'objects')}\n`)
      git(['config', setting, values[setting] ?? program])
      git(['config', 'alias.statasx', `!${program}`])
      const attempt = (environment: Readonly<Record<string, string>>): boolean => {
        try {
          return runsAnother(args, environment)
        } catch {
          return existsSync(mark)
        }
      }
      expect(attempt(without(setting)), 'the repository is one that runs programs').toBe(true)
      expect(attempt(safeGitEnvironment())).toBe(false)
    } finally {
      git(['config', '--unset', setting])
      rmSync(alternates)
      rmSync(join(folder, '.git', 'other.git'), { recursive: true })
    }
  })

  it('[ABUSE-40] goes before what the repository says of a filter for a terminal', () => {
    git(['config', 'interactive.diffFilter', program])
    expect(git(['config', '--get', 'interactive.diffFilter'], without('interactive.diffFilter'))).toBe(`${program}\n`)
    expect(git(['config', '--get', 'interactive.diffFilter'], safeGitEnvironment())).toBe('cat\n')
  })

  it('[ABUSE-40] leaves git its work', () => {
    writeFileSync(join(folder, 'new.txt'), 'x\n')
    expect(git(['status', '--short'], safeGitEnvironment())).toBe('?? new.txt\n')
    expect(git(['log', '--format=%s', '--max-count=1'], safeGitEnvironment())).not.toBe('')
  })
})
