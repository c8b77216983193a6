import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env } from 'node:process'

/** Runs git as a person would who has never configured it. */
export function git(cwd: string, ...args: readonly string[]): string {
  const identity = [
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@example.com',
    '-c',
    'commit.gpgSign=false',
    '-c',
    'init.defaultBranch=main',
  ]
  const environment = { PATH: env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...identity, ...args], { cwd, env: environment, stdio: 'pipe' })
    .toString()
    .trim()
}

/** What a commit adds: the text of a file, what a link leads to, or the text of an executable. */
export type GitFiles = Readonly<Record<string, string | { readonly link: string } | { readonly script: string }>>

/** Commits files. @returns the commit */
export function commit(repository: string, files: GitFiles): string {
  for (const [path, file] of Object.entries(files)) {
    const full = join(repository, path)
    mkdirSync(dirname(full), { recursive: true })
    if (typeof file === 'object' && 'link' in file) symlinkSync(file.link, full)
    else writeFileSync(full, typeof file === 'string' ? file : file.script)
    if (typeof file === 'object' && 'script' in file) chmodSync(full, 0o755)
  }
  git(repository, 'add', '-A')
  git(repository, 'commit', '-q', '-m', 'x')
  return git(repository, 'rev-parse', 'HEAD')
}

/** Makes a repository that gives single files, as the great hosts do. */
export function makeRepository(folder: string): string {
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '-q')
  git(folder, 'config', 'uploadpack.allowFilter', 'true')
  return folder
}
