import picocolors from 'picocolors'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/finding.ts'
import { diagnosticCounts, diagnosticsText } from '../../src/output/diagnostics.ts'

const paint = picocolors.createColors(false)

function finding(severity: Finding['severity'], more: Partial<Finding> = {}): Finding {
  return { code: 'NAME_PATTERN', severity, path: '/home/pdf/SKILL.md', message: 'What is wrong.', ...more }
}

describe('diagnostics for a person', () => {
  it('[DISC-3] are grouped, the worst first, each with place, code, message and hint', () => {
    const diagnostics = [finding('info'), finding('error', { line: 4, hint: 'Fix it.' }), finding('warning')]
    expect(diagnosticsText(diagnostics, { paint, folder: '/home', limit: 20 }).split('\n')).toEqual([
      '1 error',
      '  pdf/SKILL.md:4  NAME_PATTERN',
      '    What is wrong.',
      '    → Fix it.',
      '',
      '1 warning',
      '  pdf/SKILL.md  NAME_PATTERN',
      '    What is wrong.',
      '',
      '1 note',
      '  pdf/SKILL.md  NAME_PATTERN',
      '    What is wrong.',
      '',
    ])
    expect(diagnosticCounts(diagnostics)).toBe('1 error, 1 warning, 1 note')
    expect(diagnosticsText([], { paint, folder: '/home', limit: 20 })).toBe('')
    expect(diagnosticCounts([])).toBe('')
  })

  it('[DISC-3] are cut after the worst, and say what was cut', () => {
    const diagnostics = [...Array(3).fill(finding('warning')), ...Array(3).fill(finding('error'))] as Finding[]
    const text = diagnosticsText(diagnostics, { paint, folder: '/home', limit: 2 })
    expect(text).toMatch(/^3 errors\n[^]*\n {2}and 1 more; --json has all\n\n3 warnings, not shown\n$/)
    expect(text.match(/What is wrong/g)).toHaveLength(2)
    expect(diagnosticsText(diagnostics, { paint, folder: '/home', limit: 6 })).not.toContain('not shown')
  })

  it('[OBS-4, ABUSE-93] show control characters of every part as text', () => {
    const hostile = '\u001B[2J\u009B1m\u202E\r\n'
    const { code, path, message, hint } = {
      code: hostile as Finding['code'],
      path: `/${hostile}`,
      message: hostile,
      hint: hostile,
    }
    const text = diagnosticsText([finding('error', { code, path, message, hint })], {
      paint,
      folder: '/',
      limit: 1,
    })
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
    expect(text.match(/\\u\{1B\}/g)).toHaveLength(4)
    expect(text.trimEnd().split('\n')).toHaveLength(4)
  })
})
