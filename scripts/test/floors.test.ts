import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { renderFloors } from '../floor-table.ts'
import { floorViolations } from '../floor-violations.ts'
import type { FloorTable } from '../floor-violations.ts'
import { floors, rooms, sideways } from '../floors.ts'
import { readHouse } from '../house.ts'
import { importsOf } from '../imports.ts'
import { roomViolations } from '../room-violations.ts'

test('[NFR-4] every import of every package and app keeps to the table of floors', () => {
  const house = readHouse(fileURLToPath(new URL('../..', import.meta.url)))
  expect(house.sources.size).toBeGreaterThan(400)
  expect(floorViolations(house, { floors, sideways })).toEqual([])
})

test('[NFR-4] no import runs upwards between the rooms of a place', () => {
  const { sources } = readHouse(fileURLToPath(new URL('../..', import.meta.url)))
  for (const room of rooms.flat()) expect([...sources.keys()].some((file) => file.startsWith(`${room}/`))).toBe(true)
  expect(roomViolations(sources, rooms)).toEqual([])
  const house = new Map([
    ['s/consent/ask.ts', "import type { Call } from '../calls/call.ts'; import '../root.ts'"],
    ['s/calls/call.ts', "import '../consent/ask.ts'; import './other.ts'"],
  ])
  expect(roomViolations(house, [['s/consent', 's/calls']])).toEqual([
    's/consent/ask.ts imports s/calls/call.ts, which is in a room above it.',
  ])
})

test.each([
  ['a static import', `import { a } from './a.ts'`],
  ['an import for its effects', `import './a.ts'`],
  ['an import of types', `import type { A } from './a.ts'`],
  ['an import of a type beside values', `import { type A, b } from './a.ts'`],
  ['a dynamic import', `const later = async () => (await import('./a.ts')).a`],
  ['a type by its import', `let a: import('./a.ts').A`],
  ['the type of a module', `type Module = typeof import('./a.ts')`],
  ['an export of another file', `export { a } from './a.ts'`],
  ['an export of types of another file', `export type { A } from './a.ts'`],
  ['an export of everything', `export * from './a.ts'`],
])('[NFR-4] finds %s', (_, text) => {
  expect(importsOf(text)).toEqual(['./a.ts'])
})

test('[NFR-4] finds no import in a comment, a string or a template', () => {
  expect(
    importsOf(["// import './a.ts'", `const a = "import './b.ts'"`, "const c = `import './c.ts' ${a}`"].join('\n')),
  ).toEqual([])
})

describe('a house of four rooms', () => {
  const table: FloorTable = {
    floors: [
      { places: ['packages/core/src/ports', 'packages/core/src/text'] },
      { places: ['packages/core/src/catalog', 'packages/core/src/index.ts'], planned: ['packages/core/src/search'] },
      { places: ['packages/adapter'] },
      { places: ['packages/adapter/src/driver'] },
    ],
    sideways: [{ from: 'packages/core/src/text', to: 'packages/core/src/ports', reason: 'it keeps to them' }],
  }
  const sound = {
    'packages/core/src/ports/skill.ts': 'export interface Skill {}',
    'packages/core/src/text/escape.ts': `import type { Skill } from '../ports/skill.ts'`,
    'packages/core/src/catalog/catalog.ts': `import { escape } from '../text/escape.ts'; import './order.ts'; import 'node:fs'`,
    'packages/core/src/index.ts': `import { parse } from 'yaml'`,
    'packages/adapter/src/tools.ts': `import { core } from '@house/core'`,
    'packages/adapter/src/driver.ts': `import './tools.ts'; import './driver/parts.ts'; import '../package.json'`,
    'packages/adapter/src/driver/parts.ts': `import '@house/core'`,
  }
  const packages = [
    { name: '@house/core', folder: 'packages/core', entries: { '.': './src/index.ts' } },
    { name: 'adapter', folder: 'packages/adapter', entries: { './driver': './src/driver.ts' } },
  ]
  const violations = (changes: Readonly<Record<string, string>>, rules: FloorTable = table): readonly string[] =>
    floorViolations({ sources: new Map(Object.entries({ ...sound, ...changes })), packages }, rules)

  test('[NFR-4] nothing is wrong where imports run downwards, stay in their place, or are allowed by name', () => {
    expect(violations({})).toEqual([])
  })

  test.each([
    ['static', `import { catalog } from '../catalog/catalog.ts'`],
    ['for its types only', `import type { Catalog } from '../catalog/catalog.ts'`],
    ['dynamic', `const load = () => import('../catalog/catalog.ts')`],
    ['an export', `export { catalog } from '../catalog/catalog.ts'`],
  ])('[NFR-4] an import that runs upwards is named: %s', (_, text) => {
    expect(violations({ 'packages/core/src/ports/skill.ts': text })).toEqual([
      'packages/core/src/ports/skill.ts imports "../catalog/catalog.ts": upwards, from packages/core/src/ports (floor 1) to packages/core/src/catalog (floor 2).',
    ])
  })

  test('[NFR-4] an import that runs sideways is named, in the direction that is not allowed too', () => {
    expect(
      violations({
        'packages/core/src/catalog/order.ts': `import '../index.ts'`,
        'packages/core/src/ports/tokens.ts': `import '../text/escape.ts'`,
      }),
    ).toEqual([
      'packages/core/src/catalog/order.ts imports "../index.ts": sideways, from packages/core/src/catalog (floor 2) to packages/core/src/index.ts (floor 2).',
      'packages/core/src/ports/tokens.ts imports "../text/escape.ts": sideways, from packages/core/src/ports (floor 1) to packages/core/src/text (floor 1).',
    ])
  })

  test('[NFR-4] another package is imported by its entries, and these have floors too', () => {
    const file = 'packages/core/src/catalog/order.ts'
    expect(violations({ [file]: `import 'adapter/driver'` })).toEqual([
      `${file} imports "adapter/driver": upwards, from packages/core/src/catalog (floor 2) to packages/adapter/src/driver (floor 4).`,
    ])
    for (const specifier of ['adapter', 'adapter/src/tools.ts', '../../../adapter/src/driver.ts']) {
      expect(violations({ [file]: `import '${specifier}'` })).toEqual([
        `${file} imports "${specifier}", which is the inside of another package. Import one of its entries.`,
      ])
    }
    expect(violations({ [file]: `import 'adapter-of-others/driver'` })).toEqual([])
  })

  test('[NFR-4] a folder that the table does not name is an error, even if it imports nothing', () => {
    expect(violations({ 'packages/core/src/new/a.ts': '', 'packages/other/src/a.ts': '' })).toEqual([
      'packages/core/src/new is not in the table of floors (it holds packages/core/src/new/a.ts). Add it to scripts/floors.ts.',
      'packages/other/src is not in the table of floors (it holds packages/other/src/a.ts). Add it to scripts/floors.ts.',
    ])
  })

  test('[NFR-4] the table names nothing that is gone, and what was planned until it is there', () => {
    const { floors: rows, sideways: edges } = table
    expect(
      violations(
        { 'packages/core/src/search/search.ts': '' },
        {
          floors: [...rows, { places: ['packages/gone'] }],
          sideways: [
            ...edges,
            { from: 'packages/core/src/ports', to: 'packages/core/src/text', reason: 'it was so once' },
          ],
        },
      ),
    ).toEqual([
      'packages/gone is in the table of floors and holds no source.',
      'packages/core/src/search is there now. Move it from "planned" to "places" in scripts/floors.ts.',
      'Nothing in packages/core/src/ports imports from packages/core/src/text any more. Remove the edge from scripts/floors.ts.',
    ])
  })

  test('[NFR-4] the table is shown with what is planned, and with the reasons of what is allowed', () => {
    expect(renderFloors(table).split('\n')).toEqual([
      '| floor | in `packages/core/src` | packages and apps |',
      '| --: | --- | --- |',
      '| 1 | `ports`, `text` |  |',
      '| 2 | `catalog`, `index.ts`, _search_ |  |',
      '| 3 |  | `packages/adapter` |',
      '| 4 |  | `packages/adapter/src/driver` |',
      '',
      'Places in italics are planned. Within a floor, only these imports are allowed:',
      '',
      '- `text` imports `ports`: it keeps to them.',
    ])
  })
})
