import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test.each([
  ['source', 320, ['{packages,apps}/*/src/**/*.ts', 'scripts/*.{js,ts}']],
  ['test', 400, ['{packages,apps}/*/test/**/*.ts', 'scripts/test/*.ts']],
] as const)('no %s file is over %d lines', (_, maxLines, patterns) => {
  const files = globSync([...patterns], { cwd: root })
  expect(files).not.toEqual([])
  const tooLong = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1 > maxLines)
  expect(tooLong).toEqual([])
})

// Files that share a module share its worker too: hooks that an import registered would hold for the first of them alone.
test('no module that tests share registers hooks when it is imported', () => {
  const files = globSync('{packages,apps}/*/test/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  expect(files.length).toBeGreaterThan(20)
  const hooked = files.filter((file) => /^(?:before|after)(?:Each|All)\(/m.test(readFileSync(join(root, file), 'utf8')))
  expect(hooked).toEqual([])
})
