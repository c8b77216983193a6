import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Copies the workspace into a folder, with what is not committed and what is built, and installs its dependencies
 * there.
 */
export function copyWorkspace(root: string, to: string): void {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  git('clone', '--quiet', root, to)
  const changed = git('ls-files', '-z', '--modified', '--others', '--exclude-standard').split('\0').filter(Boolean)
  const built = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/dist`)
  for (const path of [...changed, ...built])
    if (existsSync(join(root, path))) cpSync(join(root, path), join(to, path), { recursive: true })
  const flags = ['--frozen-lockfile', '--prefer-offline', '--ignore-scripts', '--silent']
  execFileSync('pnpm', ['install', ...flags], { cwd: to, stdio: ['ignore', 'ignore', 'inherit'] })
}
