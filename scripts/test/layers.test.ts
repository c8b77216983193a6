import { cruise } from 'dependency-cruiser'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import configuration from '../../.dependency-cruiser.ts'

const LAYERS = 'A file imports from its own place and from lower layers.'
const CORE = 'packages/core/src'

/** Returns each violation of the layers in a repository that holds these files, as `rule from → to`. */
async function violations(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const root = await mkdtemp(join(tmpdir(), 'repertoire-layers-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const core = { name: '@repertoire/core', exports: { '.': { '@repertoire/source': './src/index.ts' } } }
  const all = { 'packages/core/package.json': JSON.stringify(core), [`${CORE}/index.ts`]: '', ...files }
  for (const [file, text] of Object.entries(all)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  await mkdir(join(root, 'node_modules/@repertoire'), { recursive: true })
  await symlink(join(root, 'packages/core'), join(root, 'node_modules/@repertoire/core'))
  const { output } = await cruise(['packages'], {
    ...configuration.options,
    baseDir: root,
    ruleSet: { forbidden: configuration.forbidden },
    validate: true,
  })
  if (typeof output === 'string') throw new TypeError(output)
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name} ${from} → ${to}`).toSorted()
}

test('[NFR-4] allows imports from the same place, from lower layers and of entries', async () => {
  const found = await violations({
    [`${CORE}/ports/skill.ts`]: 'export interface Skill {}',
    [`${CORE}/text/escape.ts`]: `import type { Skill } from '../ports/skill.ts'; export type Escaped = Skill`,
    [`${CORE}/session/state/state.ts`]: `import { escape } from '../../text/escape.ts'; escape()`,
    [`${CORE}/session/open.ts`]: `import './state/state.ts'; import './other.ts'`,
    [`${CORE}/session/other.ts`]: '',
    'packages/tools/src/index.ts': `import '@repertoire/core'`,
  })
  expect(found).toEqual([])
})

test('[NFR-4] refuses every kind of import from a higher layer', async () => {
  const kinds = {
    import: `import { escape } from '../text/escape.ts'; escape()`,
    'import of types': `import type { Escaped } from '../text/escape.ts'; export type A = Escaped`,
    'import()': `export const load = async () => (await import('../text/escape.ts')).escape`,
    'type by import()': `export let a: import('../text/escape.ts').Escaped`,
    'type of a module': `export type Text = Promise<typeof import('../text/escape.ts')>`,
    export: `export { escape } from '../text/escape.ts'`,
    'export of types': `export type * from '../text/escape.ts'`,
  }
  const files = Object.entries(kinds).map(([kind, text]) => [`${CORE}/ports/${kind}.ts`, text] as const)
  const found = await violations({ [`${CORE}/text/escape.ts`]: '', ...Object.fromEntries(files) })
  expect(found).toEqual(files.map(([file]) => `${LAYERS} ${file} → ${CORE}/text/escape.ts`).toSorted())
})

test('[NFR-4] refuses imports of the place around, of a neighbour, and from or of a place without a layer', async () => {
  const [inner, gate, unplaced, outer] = ['session/state/a.ts', 'gate/a.ts', 'new/a.ts', 'session/outer.ts']
  const found = await violations({
    [`${CORE}/${inner}`]: `import '../outer.ts'`,
    [`${CORE}/${gate}`]: `import '../search/b.ts'`,
    [`${CORE}/search/b.ts`]: '',
    [`${CORE}/${unplaced}`]: `import '../ports/b.ts'`,
    [`${CORE}/ports/b.ts`]: '',
    [`${CORE}/${outer}`]: `import '../new/a.ts'`,
  })
  expect(found).toEqual([
    `${LAYERS} ${CORE}/${gate} → ${CORE}/search/b.ts`,
    `${LAYERS} ${CORE}/${inner} → ${CORE}/${outer}`,
    `Add the folder to the layers in .dependency-cruiser.ts. ${CORE}/${unplaced} → ${CORE}/ports/b.ts`,
    `Add the folder to the layers in .dependency-cruiser.ts. ${CORE}/${outer} → ${CORE}/${unplaced}`,
  ])
})

test('[NFR-4] refuses a path into another package, and a cycle of types', async () => {
  const [path, one, other] = ['packages/tools/src/path.ts', `${CORE}/text/one.ts`, `${CORE}/text/other.ts`]
  const found = await violations({
    [path]: `import '../../core/src/index.ts'`,
    [one]: `import type { Other } from './other.ts'; export type One = Other | 1`,
    [other]: `import type { One } from './one.ts'; export type Other = One | 2`,
  })
  expect(found).toEqual([
    `Import what the other package exports, not its files. ${path} → ${CORE}/index.ts`,
    `Take the import cycle apart. ${one} → ${other}`,
  ])
})
