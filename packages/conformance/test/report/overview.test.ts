import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { sampleReport } from '../sample-report.ts'
import { renderOverview } from '../../src/report/overview.ts'
import type { Report, Status } from '../../src/report/report.ts'

test('[CONF-3] counts the checks of each area that ended how, and the variants in which they were run', () => {
  expect(renderOverview(sampleReport)).toBe(
    [
      '| Checks of | alpha | beta |',
      '| :-- | :-: | :-: |',
      '| gate | ✓ 1, ✗ 1 | ✓ 1, – 1 |',
      '| forks | ✓ 1 | ~ 1 |',
      '| **all 3** | **✓ 2, ✗ 1** | **✓ 1, ~ 1, – 1** |',
      '| run in variants | 1 | 1 |',
      '',
      '✗ fails, ~ is known to fail, – is not applicable',
      '',
    ].join('\n'),
  )
})

test('[CONF-3] explains no mark where everything passes, and counts a variant once', () => {
  const results = sampleReport.results.map((result, index) => ({
    ...result,
    status: 'pass' as const,
    variants: ['json', 'sse', index > 2 ? 'other' : 'json'].map((variant) => ({ variant, passed: true })),
  }))
  const lines = renderOverview({ ...sampleReport, results })
    .trimEnd()
    .split('\n')
  expect(lines.slice(-2)).toEqual(['| **all 3** | **✓ 3** | **✓ 3** |', '| run in variants | 2 | 3 |'])
})

test('[CONF-3] leaves a cell empty where a report holds no result', () => {
  const results = sampleReport.results.filter(({ adapter }) => adapter === 'alpha')
  expect(renderOverview({ ...sampleReport, results })).toContain(
    '| forks | ✓ 1 |  |\n| **all 3** | **✓ 2, ✗ 1** |  |\n',
  )
})

test('[CONF-3] is one table, whatever adapters are called', () => {
  const name = fc.string({ unit: anyCharacter, maxLength: 20 })
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
      fc.constantFrom<Status>('pass', 'fail'),
      (adapters, status) => {
        const [first] = sampleReport.results
        const report: Report = {
          ...sampleReport,
          adapters,
          results: adapters.map((adapter) => ({ ...first!, adapter, status })),
        }
        const lines = renderOverview(report).split('\n')
        const rows = lines.filter((line) => line.startsWith('|'))
        expect(rows).toHaveLength(6)
        const cells = (line: string) => line.replace(/\\./gu, '').split('|').length - 2
        expect(rows.every((line) => cells(line) === 1 + adapters.length)).toBe(true)
        expect(lines.join('').replaceAll('<br>', '')).not.toMatch(/[<>]/)
      },
    ),
  )
})
