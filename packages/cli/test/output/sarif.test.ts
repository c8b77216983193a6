import { type DiagnosticCode } from '@repertoire/core'
import { DIAGNOSTIC_CODES } from '@repertoire/core/authoring'
import * as fc from 'fast-check'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from 'sarif'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/finding.ts'
import { toSarif } from '../../src/output/sarif.ts'

const folder = resolve('project')
const style = { folder, version: '1.2.3', meanings: DIAGNOSTIC_CODES }

function sarif(diagnostics: readonly Finding[]) {
  const [run] = (JSON.parse(toSarif(diagnostics, style)) as Log).runs
  return run!
}

function diagnostic(parts: Partial<Finding> = {}): Finding {
  return {
    code: 'NAME_PATTERN',
    severity: 'warning',
    path: resolve(folder, 'skills/pdf/SKILL.md'),
    message: 'The name "PDF" holds capitals.',
    ...parts,
  }
}

describe('SARIF', () => {
  it('[DISC-3] names tool, rule, level, file and line of a finding, with what to do in its message', () => {
    const run = sarif([diagnostic({ line: 2, hint: 'Write "pdf".' })])
    expect(run.tool.driver).toMatchObject({
      name: 'repertoire',
      version: '1.2.3',
      rules: [{ id: 'NAME_PATTERN', shortDescription: { text: DIAGNOSTIC_CODES.NAME_PATTERN } }],
    })
    expect(run.results).toMatchObject([
      {
        ruleId: 'NAME_PATTERN',
        ruleIndex: 0,
        level: 'warning',
        message: { text: 'The name "PDF" holds capitals. Write "pdf".' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'skills/pdf/SKILL.md', uriBaseId: 'ROOT' },
              region: { startLine: 2 },
            },
          },
        ],
      },
    ])
  })

  it('[DISC-3] leads from every result to its rule, and from every path back to the file', () => {
    const severity = fc.constantFrom('error', 'warning', 'info')
    const code = fc.constantFrom(
      ...(Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[]),
      'constructor' as DiagnosticCode,
    )
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[/\\\0]/.test(text))
    const found = fc.array(fc.record({ severity, code, name, message: fc.string() }), { maxLength: 20 })
    fc.assert(
      fc.property(found, (entries) => {
        const diagnostics = entries.map(({ name: file, ...rest }) =>
          diagnostic({ ...rest, path: resolve(folder, `s-${file}`) }),
        )
        const run = sarif(diagnostics)
        const base = run.originalUriBaseIds!['ROOT']!.uri!
        expect(run.results!.map(({ ruleIndex }) => run.tool.driver.rules![ruleIndex!]!.id)).toEqual(
          diagnostics.map((one) => one.code),
        )
        const paths = run.results!.map(({ locations }) => locations![0]!.physicalLocation!.artifactLocation!.uri!)
        expect(paths.map((uri) => fileURLToPath(new URL(uri, base)))).toEqual(diagnostics.map(({ path }) => path))
      }),
    )
  })

  it('[DISC-3] gives a file outside of the folder by its own URI', () => {
    const path = resolve('elsewhere', 'a b', 'SKILL.md')
    const [result] = sarif([diagnostic({ path })]).results!
    const { artifactLocation } = result!.locations![0]!.physicalLocation!
    expect(artifactLocation!.uriBaseId).toBeUndefined()
    expect(fileURLToPath(artifactLocation!.uri!)).toBe(path)
  })

  it('[DISC-3] keeps the fingerprint of a finding that moves to another line, and of no other', () => {
    const prints = [
      diagnostic({ line: 2 }),
      diagnostic({ line: 7 }),
      diagnostic({ line: 2, message: 'Another.' }),
      diagnostic({ line: 2, code: 'NAME_TOO_LONG' }),
      diagnostic({ line: 2, path: resolve(folder, 'skills/csv/SKILL.md') }),
    ].map((one) => sarif([one]).results![0]!.partialFingerprints!['repertoire/v1'])
    expect(prints[0]).toBe(prints[1])
    expect(new Set(prints).size).toBe(4)
  })
})
