import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { safeGitEnvironment } from '@repertoire/gate'
import { READERS } from '../../src/internal.ts'

/** Settings of a repository that name a program, and the name of its trace. */
const TRAPS = {
  'core.fsmonitor': 'monitor',
  'core.pager': 'pager',
  'core.editor': 'editor',
  'core.sshCommand': 'connection',
  'core.askPass': 'password',
  'credential.helper': 'credential',
  'gpg.program': 'signature',
  'gpg.openpgp.program': 'signature',
  'interactive.diffFilter': 'filter',
  'core.alternateRefsCommand': 'alternates',
}
const HOOKS = ['post-index-change', 'reference-transaction', 'post-checkout', 'pre-auto-gc']

let root: string
const traces = (): readonly string[] => readdirSync(join(root, 'traces')).toSorted()

/** Runs a line in the repository, as a user to whom nothing belongs. */
function run(line: string, variables: Readonly<Record<string, string>> = {}): string {
  const path = [join(root, 'bin'), process.env['PATH']].join(delimiter)
  return execFileSync('bash', ['-c', line], {
    cwd: join(root, 'repository'),
    env: { PATH: path, HOME: '/home/of/nobody', ...variables },
    stdio: 'pipe',
    encoding: 'utf8',
  })
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gate-crafted-'))
  for (const name of ['bin', 'repository', 'hooks', 'traces']) mkdirSync(join(root, name))
  const setTrap = (file: string, name: string): void =>
    writeFileSync(file, `#!/bin/sh\ntouch '${join(root, 'traces', name)}'\nfalse\n`, { mode: 0o755 })
  for (const name of ['gpg', ...Object.values(TRAPS)]) setTrap(join(root, 'bin', name), name)
  for (const name of HOOKS) setTrap(join(root, 'hooks', name), name)
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(root, 'repository', name), 'a\n')
  run(`git init -q && git config user.name a && git config user.email a@b && git add . && git commit -qm first
    echo b >b.txt && git commit -qam second && git tag v1 && echo c >b.txt && git stash -q && echo d >b.txt`)
  // A repository may have git show signatures, which another program checks.
  const signature = '\ngpgsig -----BEGIN PGP SIGNATURE-----\n -----END PGP SIGNATURE-----\n\n'
  writeFileSync(join(root, 'commit'), run('git cat-file commit HEAD').replace('\n\n', signature))
  run('git update-ref HEAD "$(git hash-object -t commit -w ../commit)"')
  for (const [key, name] of Object.entries(TRAPS)) run(`git config ${key} '${join(root, 'bin', name)}'`)
  run(`git config core.hooksPath '${join(root, 'hooks')}' && git config log.showSignature true`)
})

beforeEach(() => {
  for (const name of traces()) rmSync(join(root, 'traces', name))
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a repository whose configuration names programs', () => {
  const git = Array.from(READERS).filter(([name]) => name.startsWith('git '))

  test.each(git)('[ABUSE-40] starts none of them under %s in the environment for git', (_, { examples }) => {
    for (const example of examples) run(example, safeGitEnvironment())
    expect(traces()).toEqual([])
  })

  test('[ABUSE-40] starts them without it', () => {
    run('git status && git log -1 || true')
    expect(traces()).toEqual(expect.arrayContaining(['monitor', 'signature']))
  })
})
