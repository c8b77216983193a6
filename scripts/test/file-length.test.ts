import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Files that are still to be split. One that is short enough has to leave this list. */
const STILL_TOO_LONG: readonly string[] = [
  'packages/core/test/audit/session-events.test.ts',
  'packages/core/test/gate/permits.test.ts',
  'packages/core/test/gate/protect/parent-folders.test.ts',
  'packages/core/test/gate/shell/guarded.test.ts',
  'packages/core/test/manifest/fast/plain-yaml.test.ts',
  'packages/core/test/manifest/render.test.ts',
  'packages/core/test/node/configuration/load.test.ts',
  'packages/core/test/node/folder/skill.test.ts',
  'packages/core/test/node/mounts/private.test.ts',
  'packages/core/test/node/sources/directory.test.ts',
  'packages/core/test/session/activation/hooks.test.ts',
  'packages/core/test/session/activation/mounts.test.ts',
  'packages/core/test/session/fork/fork.test.ts',
  'packages/core/test/session/hostile.test.ts',
  'packages/core/test/session/session.test.ts',
]

test.each([
  ['source', 320, ['{packages,apps}/*/src/**/*.ts', 'scripts/*.{js,ts}']],
  ['test', 400, ['{packages,apps}/*/test/**/*.ts', 'scripts/test/*.ts']],
] as const)('no %s file is over %d lines', (kind, maxLines, patterns) => {
  const files = globSync([...patterns], { cwd: root })
  expect(files).not.toEqual([])
  const tooLong = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1 > maxLines)
  expect(tooLong.toSorted()).toEqual(kind === 'test' ? STILL_TOO_LONG : [])
})
