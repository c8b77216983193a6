import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorkspace } from './workspace.ts'

test('[NFR-4] npm run api reports every entry of a package, and --check fails when the declarations differ', async () => {
  const { root, write, run } = await makeWorkspace()
  const types = (path: string): object => ({ types: path, default: path.replace('.d.ts', '.js') })
  const exports = { '.': types('./dist/index.d.ts'), './more': types('./dist/more.d.ts'), './package.json': './package.json' } // prettier-ignore
  await write('packages/one/package.json', JSON.stringify({ name: '@house/one', type: 'module', exports }))
  await write('packages/two/package.json', '{ "name": "two", "private": true }')
  await write('packages/one/dist/inner.d.ts', 'export interface Inner {\n  readonly depth: 1 | 2\n}\n')
  await write(
    'packages/one/dist/index.d.ts',
    `import type { Inner } from './inner.ts'\n/** Opens it. */\nexport declare function open(inner: Inner): void\n`,
  )
  await write('packages/one/dist/more.d.ts', 'export declare const b: 1\n')

  expect(await run('node', 'scripts/api.ts')).toMatchObject({ code: 0 })
  const report = await readFile(join(root, 'docs/api/one.api.md'), 'utf8')
  for (const text of ['export function open(inner: Inner): void\n', 'namespace more {', 'const b: 1', 'depth: 1 | 2\n'])
    expect(report).toContain(text)
  expect(await run('node', 'scripts/api.ts', '--check')).toMatchObject({ code: 0 })

  // What is not exported itself is part of the API too.
  await write('packages/one/dist/inner.d.ts', 'export interface Inner {\n  readonly depth: 1 | 2 | 3\n}\n')
  await write('docs/api/gone.api.md', '')
  const changed = await run('node', 'scripts/api.ts', '--check')
  expect(changed.code).toBe(1)
  expect(changed.stdout + changed.stderr).toContain('+    readonly depth: 1 | 2 | 3\n')
  expect(changed.stdout).toContain(
    'docs/api/one.api.md is out of date.\ndocs/api/gone.api.md is of no published package.',
  )
  expect(changed.stdout).toContain('run "npm run api" and commit')
})
