import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'

/** What most skills have besides name and description. */
const FIELDS = [
  'license: MIT',
  'version: 1.10',
  'allowed-tools: Read, Bash(git:*)',
  'argument-hint: "[file] [mode]"',
  'tags: [a, "b c", d]',
  '# A comment.',
]

describe('a heavy library', () => {
  it('[NFR-1] is not imported by a folder of valid skills, and is by the first skill that needs it', () => {
    const root = mkdtempSync(join(tmpdir(), 'repertoire-'))
    try {
      for (const [index, field] of FIELDS.entries()) {
        mkdirSync(join(root, `skill-${index}`))
        const full = `---\nname: skill-${index}\ndescription: Use it for tests.\n${field}\n---\nBody\n`
        writeFileSync(join(root, `skill-${index}`, 'SKILL.md'), full)
      }
      expect(loadedBy(root)).toEqual({ skills: FIELDS.length, heavy: [] })
      mkdirSync(join(root, 'odd'))
      writeFileSync(join(root, 'odd', 'SKILL.md'), '---\nname: odd\ndescription: |2\n   x\n---\n')
      expect(loadedBy(root)).toEqual({ skills: FIELDS.length + 1, heavy: ['js-yaml'] })
    } finally {
      rmSync(root, { recursive: true })
    }
  })
})

/** Scans a folder in its own process, and tells which heavy packages were imported. */
function loadedBy(root: string): unknown {
  const entry = (name: string) => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href)
  const script = `
    import { registerHooks } from 'node:module'
    const heavy = new Set()
    registerHooks({
      resolve(specifier, context, next) {
        if (['js-yaml', 'zod', 're2js', 'liquidjs', 'chokidar'].includes(specifier)) heavy.add(specifier)
        return next(specifier, context)
      },
    })
    const { openRepertoire } = await import(${entry('index.ts')})
    const { directorySource } = await import(${entry('node/index.ts')})
    const { catalog } = await openRepertoire({ sources: [directorySource({ root: ${JSON.stringify(root)}, layer: 'project' })] })
    console.log(JSON.stringify({ skills: catalog.list().length, heavy: [...heavy] }))
  `
  const args = ['--conditions=@repertoire/source', '--input-type=module', '--eval', script]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}
