import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { safeGitEnvironment } from '../../../src/gate/shell/git-environment.ts'

/** A repository whose own configuration names programs: each leaves a mark when it runs. */
let folder: string
let mark: string

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
  const program = join(folder, '.git', 'program.sh')
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

  it('[ABUSE-40] leaves git its work', () => {
    writeFileSync(join(folder, 'new.txt'), 'x\n')
    expect(git(['status', '--short'], safeGitEnvironment())).toBe('?? new.txt\n')
    expect(git(['log', '--format=%s', '--max-count=1'], safeGitEnvironment())).not.toBe('')
  })
})
