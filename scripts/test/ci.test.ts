import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

it("[FRONT-1] CI removes the Debian packages and runs the README's two commands before it installs anything", () => {
  const steps = [...read('.ci/run').matchAll(/^step '[^']*' (.*)$/gm)].map(([, command]) => command)
  const [, block = ''] = /^## See it\n[^]*?```sh\n([^]*?)```/m.exec(read('README.md')) ?? []
  expect([...block.matchAll(/^npm .*?(?=\s+#)/gm)].map(([command]) => command)).toEqual(['npm run demo', 'npm test'])
  expect(steps.slice(0, 4)).toEqual([
    'remove_packages',
    'as_newcomer npm run demo',
    'as_newcomer npm test',
    'install_packages',
  ])
})

it('[FRONT-1] a test that is skipped without a Debian package names the package in its title', () => {
  const needs = globSync('{packages,apps}/*/test/**/*.test.ts', { cwd: ROOT }).flatMap((file) =>
    [...read(file).matchAll(/skipIf\(isMissing\('(.*?)'\)\)(?:\.each\(.*?\))?\(\s*(['"`])(.*?)\2,/g)].map(
      ([, name, , title]) => ({ file, name, title }),
    ),
  )
  expect(new Set(needs.map(({ name }) => name))).toEqual(new Set(['bubblewrap', 'chromium', 'redis-server', 'strace']))
  expect(needs.filter(({ name, title }) => !title!.endsWith(`(needs ${name})`))).toEqual([])
})

// Files that share a module share its worker too: hooks that an import registers would hold for the first of them alone.
it('no module that tests share registers hooks when it is imported', () => {
  const files = globSync('{packages,apps}/*/test/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => /^(?:before|after)(?:Each|All)\(/m.test(read(file)))).toEqual([])
})
