import { cruise } from 'dependency-cruiser'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import configuration from '../../.dependency-cruiser.ts'

const LAYERS = 'A file imports from its own place and from lower layers.'
const UNPLACED = 'Add the folder to the layers in .dependency-cruiser.ts.'
const CORE = 'packages/core/src'

/** Imports, as a file and its code, with the rule that each violates and the file that it imports; or undefined. */
const IMPORTS: readonly (readonly [file: string, code: string, violation?: string])[] = [
  ['text/lower.ts', `import type { Skill } from '../ports/skill.ts'; export type Escaped = Skill`],
  ['session/state/lower.ts', `import { escape } from '../../text/escape.ts'; escape()`],
  ['session/same.ts', `import './state/lower.ts'; import './other.ts'`],
  ['../../tools/src/entry.ts', `import '@repertoire/core'`],
  ['ports/import.ts', `import { escape } from '../text/escape.ts'; escape()`, `${LAYERS} text/escape.ts`],
  ['ports/type.ts', `import type { A } from '../text/escape.ts'; export type B = A`, `${LAYERS} text/escape.ts`],
  ['ports/lazy.ts', `export const load = () => import('../text/escape.ts')`, `${LAYERS} text/escape.ts`],
  ['ports/lazy-type.ts', `export let a: import('../text/escape.ts').A`, `${LAYERS} text/escape.ts`],
  ['ports/export.ts', `export { escape } from '../text/escape.ts'`, `${LAYERS} text/escape.ts`],
  ['ports/export-type.ts', `export type * from '../text/escape.ts'`, `${LAYERS} text/escape.ts`],
  ['session/state/around.ts', `import '../other.ts'`, `${LAYERS} session/other.ts`],
  ['store/neighbour.ts', `import '../search/b.ts'`, `${LAYERS} search/b.ts`],
  ['new/from.ts', `import '../ports/skill.ts'`, `${UNPLACED} ports/skill.ts`],
  ['session/to.ts', `import '../new/from.ts'`, `${UNPLACED} new/from.ts`],
  [
    '../../tools/src/path.ts',
    `import '../../core/src/index.ts'`,
    'Import what the other package exports, not its files. index.ts',
  ],
  [
    'text/one.ts',
    `import type { B } from './two.ts'; export type A = B | 1`,
    'Take the import cycle apart. text/two.ts',
  ],
]

test.skipIf(process.env['CI'] === undefined)(
  '[NFR-4] the layers allow imports of lower layers, and refuse every kind of import of others (only with CI set)',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'repertoire-layers-'))
    onTestFinished(() => rm(root, { recursive: true }))
    const manifest = { name: '@repertoire/core', exports: { '.': { '@repertoire/source': './src/index.ts' } } }
    const imported = ['index.ts', 'ports/skill.ts', 'text/escape.ts', 'session/other.ts', 'search/b.ts']
    const files: readonly (readonly [file: string, code: string])[] = [
      ['../package.json', JSON.stringify(manifest)],
      ...imported.map((file) => [file, ''] as const),
      ['text/two.ts', `import type { A } from './one.ts'; export type B = A | 2`],
      ...IMPORTS.map(([file, code]) => [file, code] as const),
    ]
    for (const [file, code] of files) {
      await mkdir(dirname(join(root, CORE, file)), { recursive: true })
      await writeFile(join(root, CORE, file), code)
    }
    await mkdir(join(root, 'node_modules/@repertoire'), { recursive: true })
    await symlink(join(root, 'packages/core'), join(root, 'node_modules/@repertoire/core'))
    const { options, forbidden } = configuration
    const { output } = await cruise(['packages'], { ...options, baseDir: root, ruleSet: { forbidden }, validate: true })
    if (typeof output === 'string') throw new TypeError(output)
    const found = output.summary.violations.map(({ rule, from, to }) => `${from}: ${rule.name} ${to}`)
    const expected = IMPORTS.flatMap(([file, , violation]) => {
      const [, rule, to = ''] = /^(.*) (.*)$/.exec(violation ?? '') ?? []
      return rule === undefined ? [] : [`${join(CORE, file)}: ${rule} ${join(CORE, to)}`]
    })
    expect(found.toSorted()).toEqual(expected.toSorted())
  },
)
