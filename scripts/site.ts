// Builds the site of the documentation: npm run site:build, or npm run site to serve it.
//
// The pages stay if they are in the repository. They are copied to apps/site/.pages with their links rewritten,
// VitePress makes HTML of them, and fails if a link leads to no page. It has its own lock file, so that only this
// installs it.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { navigationOf } from './site/navigation.ts'
import { readSitePages, REPOSITORY, siteText } from './site/pages.ts'
import { referencePages } from './site/reference.ts'

const SITE = resolve('apps/site')
const PAGES = join(SITE, '.pages')
const { serve, port } = parseArgs({
  options: { serve: { type: 'boolean', default: false }, port: { type: 'string', default: '4173' } },
}).values
/** The path that the site is served under. */
const base = process.env['SITE_BASE'] ?? '/'

install()
run('node', ['scripts/api.ts', '--models'])
writePages()
run('npm', ['run', '--silent', 'build'], SITE)
process.stdout.write(`The site is in ${join(SITE, 'dist')}.\n`)
if (serve) run('npm', ['run', 'preview', '--', '--port', port], SITE)

function install(): void {
  const lock = readFileSync(join(SITE, 'package-lock.json'), 'utf8')
  const stamp = join(SITE, 'node_modules/.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  run('npm', ['ci', '--no-audit', '--no-fund'], SITE)
  writeFileSync(stamp, lock)
}

function writePages(): void {
  rmSync(PAGES, { recursive: true, force: true })
  const pages = readSitePages()
  const reference = referencePages(resolve('node_modules/.cache/api'))
  for (const page of pages) write(page.path, siteText(page, pages))
  for (const { path, text } of reference) write(path, text)
  cpSync(join(SITE, 'theme'), join(PAGES, '.vitepress'), { recursive: true })
  cpSync(resolve('docs/pictures'), join(PAGES, 'public/pictures'), { recursive: true })
  const navigation = navigationOf(pages, reference)
  const sources = Object.fromEntries(pages.map(({ path, source }) => [path, source]))
  write('.vitepress/site.json', JSON.stringify({ base, repository: REPOSITORY, navigation, sources }))
}

function write(path: string, text: string): void {
  const file = join(PAGES, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function run(command: string, args: readonly string[], cwd: string = process.cwd()): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
