import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs, anyCharacter } from '@repertoire/test-servers/properties'
import { sampleReport } from '../sample-report.ts'
import { parseXml } from '../xml.ts'
import { renderJson } from '../../src/report/json.ts'
import { renderJUnit } from '../../src/report/junit.ts'
import { renderMarkdown } from '../../src/report/markdown.ts'
import type { Report } from '../../src/report/report.ts'
import { type Palette, renderTerminal } from '../../src/report/terminal.ts'
import { columns } from '../../src/report/width.ts'

/** Reports with any text at all in every place where a driver or a check puts its own. */
const anyReport: fc.Arbitrary<Report> = fc
  .record({
    adapters: fc.uniqueArray(fc.string({ unit: anyCharacter, maxLength: 30 }), { minLength: 1, maxLength: 4 }),
    ids: fc.uniqueArray(fc.string({ unit: anyCharacter, maxLength: 60 }), { minLength: 1, maxLength: 4 }),
    title: fc.string({ unit: anyCharacter, maxLength: 200 }),
    reason: fc.oneof(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.string({ maxLength: 300 })),
    statuses: fc.array(fc.constantFrom('pass', 'fail', 'known', 'n/a'), { minLength: 16, maxLength: 16 }),
    workaround: fc.option(fc.string({ unit: anyCharacter, maxLength: 300 }), { nil: undefined }),
  })
  .map(({ adapters, ids, title, reason, statuses, workaround }) => ({
    adapters,
    checks: ids.map((id) => ({ id, title, level: 'MUST', area: 'gate' })),
    results: adapters.flatMap((adapter, a) =>
      ids.map((id, i) => {
        const status = statuses[a * 4 + i]!
        const why = status === 'pass' ? workaround !== undefined && { workaround } : { reason }
        return { adapter, id, title, level: 'MUST', status, ...why }
      }),
    ),
  }))

describe('terminal', () => {
  test('[CONF-3] draws a matrix by area, totals that are the legend, and the reasons below', () => {
    expect(renderTerminal(sampleReport, { width: 70 })).toBe(
      [
        '3 checks       alpha  beta',
        'gate',
        '  gate-hides     ✓     –     should: hides what is not allowed',
        '  gate-refuses   ✗     ✓     refuses what was hidden',
        '',
        'forks',
        '  stack-top      ✓     ~     leaves the top skill only',
        '',
        '✓ pass           2     1',
        '✗ fail           1     0',
        '~ known          0     1',
        '– n/a            0     1',
        '',
        'Failures',
        '✗ alpha  gate-refuses  MUST',
        '    [GATE-1] refuses what was hidden',
        '    in json: expected <none>, saw "Bash"',
        '    in sse: a | b',
        '',
        'Known failures',
        '~ beta  stack-top',
        '    issue 12',
        '',
        'Not applicable',
        '– beta  gate-hides',
        '    hiding: no hook for it',
        '',
        '3 passed, 1 failed, 1 known, 1 not applicable',
        '',
      ].join('\n'),
    )
  })

  test('[CONF-3] numbers adapters whose names do not fit beside each other', () => {
    const names = ['@example/a-rather-long-name', '@example/another-rather-long-name']
    const results = sampleReport.results.map((result) => ({
      ...result,
      adapter: names[sampleReport.adapters.indexOf(result.adapter)]!,
    }))
    const lines = renderTerminal({ ...sampleReport, adapters: names, results }, { width: 60 }).split('\n')
    expect(lines.slice(0, 5)).toEqual([
      '1  @example/a-rather-long-name',
      '2  @example/another-rather-long-name',
      '3 checks       1  2',
      'gate',
      '  gate-hides   ✓  –   should: hides what is not allowed',
    ])
  })

  test('[CONF-3] takes its colours from a palette, and says the same without them', () => {
    const used = new Set<string>()
    const paint = (name: string) => (text: string) => {
      used.add(name)
      return `<${name}>${text}</${name}>`
    }
    const names = ['pass', 'fail', 'known', 'absent', 'strong', 'faint'] as const
    const palette = Object.fromEntries(names.map((name) => [name, paint(name)])) as unknown as Palette
    const coloured = renderTerminal(sampleReport, { palette })
    expect(used).toEqual(new Set(names))
    const bare = coloured.replace(/<\/?(?:pass|fail|known|absent|strong|faint)>/g, '')
    const lines = (text: string) => text.split('\n').map((line) => line.trimEnd())
    expect(lines(bare)).toEqual(lines(renderTerminal(sampleReport)))
  })

  test(
    '[CONF-3] lets no line be longer than the terminal, and no control character through',
    { timeout: 60_000 },
    () => {
      fc.assert(
        fc.property(anyReport, fc.integer({ min: 40, max: 130 }), (report, width) => {
          const text = renderTerminal(report, { width })
          const lines = text.split('\n')
          expect(lines.filter((line) => columns(line) > width)).toEqual([])
          expect(lines.filter((line) => /\p{Cc}/u.test(line))).toEqual([])
        }),
        { numRuns: runs(200) },
      )
    },
  )

  test('[CONF-3] shortens a reason of many lines, and says by how much', () => {
    const reason = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n')
    const [, failed] = sampleReport.results
    const text = renderTerminal({ ...sampleReport, results: [{ ...failed!, reason }] })
    expect(text).toContain('    line 9\n    … (21 more lines)\n')
  })

  test('[CONF-3] leaves out titles where there is no room for them', () => {
    expect(renderTerminal(sampleReport, { width: 40 })).toContain('\n  gate-refuses   ✗     ✓\n')
  })
})

describe('markdown', () => {
  test('[CONF-3] gives totals, a table for each area and numbered notes', () => {
    expect(renderMarkdown(sampleReport)).toBe(
      [
        '# Conformance',
        '',
        '|  | alpha | beta |',
        '| :-- | :-: | :-: |',
        '| ✓ pass | 2 | 1 |',
        '| ✗ fail | 1 | 0 |',
        '| ~ known | 0 | 1 |',
        '| – n/a | 0 | 1 |',
        '',
        '- **alpha** in json',
        '- **beta** in json',
        '',
        '## gate',
        '',
        '| Check | Requirement | Demands | Level | alpha | beta |',
        '| :-- | :-- | :-- | :-- | :-: | :-: |',
        '| gate-hides | GATE-1 | hides what is not allowed | SHOULD | ✓ | – <sup>2</sup> |',
        '| gate-refuses | GATE-1 | refuses what was hidden | MUST | ✗ <sup>1</sup> | ✓ |',
        '',
        '## forks',
        '',
        '| Check | Requirement | Demands | Level | alpha | beta |',
        '| :-- | :-- | :-- | :-- | :-: | :-: |',
        '| stack-top | ACT-6 | leaves the top skill only | MUST | ✓ | ~ <sup>3</sup> |',
        '',
        '## Notes',
        '',
        '1. ✗ **alpha**, gate-refuses: in json: expected &lt;none&gt;, saw "Bash"<br>in sse: a \\| b',
        '2. – **beta**, gate-hides: hiding: no hook for it',
        '3. ~ **beta**, stack-top: issue 12',
        '',
      ].join('\n'),
    )
  })

  test('[CONF-3] takes another heading, or none, to become part of a document', () => {
    const report = renderMarkdown(sampleReport)
    expect(renderMarkdown(sampleReport, { heading: 'My *adapter*' })).toBe(
      report.replace('# Conformance\n', '# My \\*adapter\\*\n'),
    )
    expect(renderMarkdown(sampleReport, { heading: '' })).toBe(report.slice('# Conformance\n\n'.length))
  })

  test('[CONF-3] keeps its tables and lists whatever the texts hold', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const lines = renderMarkdown(report).split('\n')
        const cells = (line: string) => line.replace(/\\./gu, '').split('|').length - 2
        const rows = lines.filter((line) => line.startsWith('|'))
        expect(rows).toHaveLength(6 + 2 + report.checks.length)
        expect(rows.slice(0, 6).every((line) => cells(line) === 1 + report.adapters.length)).toBe(true)
        expect(rows.slice(6).every((line) => cells(line) === 4 + report.adapters.length)).toBe(true)
        const others = lines.filter((line) => !line.startsWith('|') && line !== '')
        expect(
          others.every((line) => /^(?:# Conformance|## gate|## Notes|`\(✓\)`: passes, .*|\d+\. .*)$/u.test(line)),
        ).toBe(true)
        expect(lines.join('\n').replace(/<\/?sup>|<br>/g, '')).not.toMatch(/[<>]/)
      }),
      { numRuns: runs(200) },
    )
  })
})

test('[CONF-3] gives JSON in exactly this shape', () => {
  const [first, second] = JSON.parse(renderJson(sampleReport)).results
  expect(Object.keys(JSON.parse(renderJson(sampleReport)))).toEqual(['adapters', 'results'])
  expect(first).toEqual({
    adapter: 'alpha',
    id: 'gate-hides',
    level: 'SHOULD',
    title: '[GATE-1] hides what is not allowed',
    status: 'pass',
  })
  expect(second).toMatchObject({ status: 'fail', reason: 'in json: expected <none>, saw "Bash"\nin sse: a | b' })
})

describe('JUnit', () => {
  test('[CONF-3] gives a suite for each adapter, with failures, and with what was expected as skipped', () => {
    const root = parseXml(renderJUnit(sampleReport))
    const counts = (element: typeof root) =>
      ['tests', 'failures', 'errors', 'skipped'].map((name) => Number(element.attributes.get(name)))
    expect(root.name).toBe('testsuites')
    expect(counts(root)).toEqual([6, 1, 0, 2])
    expect(root.children.map((suite) => [suite.name, suite.attributes.get('name'), ...counts(suite)])).toEqual([
      ['testsuite', 'alpha', 3, 1, 0, 0],
      ['testsuite', 'beta', 3, 0, 0, 2],
    ])
    const [, failed] = root.children[0]!.children
    expect(failed!.attributes.get('classname')).toBe('alpha.gate')
    expect(failed!.attributes.get('name')).toBe('[GATE-1] refuses what was hidden (gate-refuses)')
    expect(failed!.children[0]).toMatchObject({
      name: 'failure',
      text: 'in json: expected <none>, saw "Bash"\nin sse: a | b',
      attributes: new Map([
        ['type', 'MUST'],
        ['message', 'in json: expected <none>, saw "Bash"'],
      ]),
    })
    const skipped = root.children[1]!.children.flatMap(({ children }) => children)
    expect(skipped.map(({ name, attributes }) => [name, attributes.get('message')])).toEqual([
      ['skipped', 'n/a: hiding: no hook for it'],
      ['skipped', 'known: issue 12'],
    ])
  })

  test('[CONF-3] is well-formed whatever the texts hold, and keeps what XML can carry', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const root = parseXml(renderJUnit(report))
        expect(root.children).toHaveLength(report.adapters.length)
        expect(root.children.every(({ children }) => children.length === report.checks.length)).toBe(true)
      }),
      { numRuns: runs(200) },
    )
    const reason = 'a\u0000b \u001b[31m \ud800 \uffff <x> & "y" \'z\' ]]> 🙂\nnext'
    const [, failed] = sampleReport.results
    const root = parseXml(renderJUnit({ ...sampleReport, results: [{ ...failed!, reason }] }))
    expect(root.children[0]!.children[0]!.children[0]!.text).toBe(
      'a\\u{0}b \\u{1B}[31m \ufffd \\u{FFFF} <x> & "y" \'z\' ]]> 🙂\nnext',
    )
  })
})

describe('what an adapter works around', () => {
  const [first, ...others] = sampleReport.results
  const report: Report = {
    ...sampleReport,
    results: [{ ...first!, workaround: 'hiding: by a wrapped model' }, ...others],
  }

  test('[CONF-6] is told in the matrix, with a legend and a note', () => {
    const markdown = renderMarkdown(report)
    expect(markdown).toMatch(/gate-hides .*\| \(✓\) <sup>4<\/sup> \|/)
    expect(markdown).toContain('`(✓)`: passes, and the adapter does what the framework does not do')
    expect(markdown).toContain('4. (✓) **alpha**, gate-hides: hiding: by a wrapped model')
    expect(renderMarkdown(sampleReport)).not.toContain('(✓)')
    expect(JSON.parse(renderJson(report)).results[0]).toMatchObject({ workaround: 'hiding: by a wrapped model' })
  })

  test('[CONF-6] is told in a terminal, by its mark and how it is done', () => {
    const lines = renderTerminal(report, { width: 70 }).split('\n')
    expect(lines).toContain('  gate-hides    (✓)    –     should: hides what is not allowed')
    expect(lines).toContain('  stack-top      ✓     ~     leaves the top skill only')
    const at = lines.indexOf('Worked around')
    expect(lines.slice(at, at + 4)).toEqual([
      'Worked around',
      '(✓) alpha  gate-hides',
      '    hiding: by a wrapped model',
      '',
    ])
    expect(renderTerminal(sampleReport)).not.toContain('Worked around')
  })

  test('[CONF-6] keeps the marks of numbered adapters apart', () => {
    const names = ['one', 'two'].map((name) => `${name} ${'x'.repeat(40)}`)
    const results = sampleReport.results.map((result) => ({
      ...result,
      adapter: names[sampleReport.adapters.indexOf(result.adapter)]!,
      ...(result.status === 'pass' && { workaround: 'by hand' }),
    }))
    const text = renderTerminal({ ...sampleReport, adapters: names, results }, { width: 60 })
    expect(text).toMatch(/^ {2}gate-refuses +✗ +\(✓\) +refuses/m)
    expect(text).toMatch(/^ {2}gate-hides +\(✓\) +– +should/m)
  })

  test('[CONF-6] is the output of a JUnit case, which passes', () => {
    const root = parseXml(renderJUnit(report))
    const [passed, , plain] = root.children[0]!.children
    expect(passed!.children.map(({ name, text }) => [name, text])).toEqual([
      ['system-out', 'Worked around. hiding: by a wrapped model'],
    ])
    expect(plain!.children).toEqual([])
    expect(root.attributes.get('skipped')).toBe('2')
  })
})

test('[CONF-1] says in every report for people which variants were not run', () => {
  const reason = 'The package "vendor" is not installed.'
  const leftOut = ['one', 'two'].map((variant) => ({ adapter: 'alpha', variant, reason }))
  const text = `Not run: one of alpha, two of alpha. ${reason}`
  expect(renderMarkdown({ ...sampleReport, leftOut })).toContain(text)
  expect(renderTerminal({ ...sampleReport, leftOut })).toContain(text)
})

test('[CONF-1] has a skipped JUnit case for each variant that was not run, with the reason, and counts it', () => {
  const reason = 'The package "vendor" is not installed.'
  const leftOut = ['one', 'two'].map((variant) => ({ adapter: 'beta', variant, reason }))
  const root = parseXml(renderJUnit({ ...sampleReport, leftOut }))
  const counts = (element: typeof root) => ['tests', 'skipped'].map((name) => Number(element.attributes.get(name)))
  expect([root, ...root.children].map(counts)).toEqual([
    [8, 4],
    [3, 0],
    [5, 4],
  ])
  const cases = root.children[1]!.children.slice(3)
  expect(
    cases.map(({ attributes, children }) => [attributes.get('classname'), attributes.get('name'), children]),
  ).toEqual(
    ['one', 'two'].map((variant) => [
      'beta.variants',
      variant,
      [{ name: 'skipped', attributes: new Map([['message', `not run: ${reason}`]]), children: [], text: '' }],
    ]),
  )
})
