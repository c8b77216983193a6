import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs, anyCharacter } from '@repertoire/test-servers/properties'
import { sampleReport } from '../sample-report.ts'
import { parseXml } from '../xml.ts'
import { renderJson } from '../../src/report/json.ts'
import { renderJUnit } from '../../src/report/junit.ts'
import { renderMarkdown } from '../../src/report/markdown.ts'
import type { Report } from '../../src/report/report.ts'
import { renderTerminal } from '../../src/report/terminal.ts'

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
  test('[CONF-3] draws a table by area, a note for everything that is more than a pass, and totals', () => {
    expect(renderTerminal(sampleReport, { width: 60 })).toBe(
      [
        '  1   alpha',
        '  2   beta',
        '',
        '  1    2    gate',
        '  ✓    –    gate-hides    should: hides what is not allowed',
        '  ✗    ✓    gate-refuses  refuses what was hidden',
        '',
        '  1    2    forks',
        '  ✓    ~    stack-top     leaves the top skill only',
        '',
        '– beta  gate-hides',
        '    hiding: no hook for it',
        '',
        '~ beta  stack-top',
        '    issue 12',
        '',
        '✗ alpha  gate-refuses',
        '    in json: expected <none>, saw "Bash"',
        '    in sse: a | b',
        '',
        'alpha: ✓ 2 passed, ✗ 1 failed',
        'beta: ✓ 1 passed, ~ 1 known to differ, – 1 not applicable',
        '',
      ].join('\n'),
    )
  })

  test('[CONF-3] cuts titles at the width', () => {
    const text = renderTerminal(sampleReport, { width: 40 })
    expect(text).toContain('\n  ✓    –    gate-hides    should: hides…\n')
    expect(renderTerminal(sampleReport, { width: 20 })).toContain('\n  ✓    –    gate-hides\n')
  })

  test('[CONF-3] says the same in colours as without them', () => {
    const colored = renderTerminal(sampleReport, { color: true })
    expect(colored).toContain('\u001B[31m✗\u001B[39m')
    // oxlint-disable-next-line no-control-regex -- the codes of colours
    const bare = colored.replaceAll(/\u001B\[\d+m/g, '').replaceAll(/ +$/gm, '')
    expect(bare).toBe(renderTerminal(sampleReport))
  })

  test('[CONF-3] lets no control character through', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const lines = renderTerminal(report).split('\n')
        expect(lines.filter((line) => /\p{Cc}/u.test(line))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })

  test('[CONF-3] shortens a reason of many lines, and says by how much', () => {
    const reason = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n')
    const [, failed] = sampleReport.results
    const text = renderTerminal({ ...sampleReport, results: [{ ...failed!, reason }] })
    expect(text).toContain('    line 9\n    … (21 more lines)\n')
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
        '| ✓ passed | 2 | 1 |',
        '| ✗ failed | 1 | 0 |',
        '| ~ known to differ | 0 | 1 |',
        '| – not applicable | 0 | 1 |',
        '| variants | 1 | 1 |',
        '',
        '- **alpha** in json',
        '- **beta** in json',
        '',
        '## gate',
        '',
        '| Check | Demands | Level | alpha | beta |',
        '| :-- | :-- | :-- | :-: | :-: |',
        '| gate-hides | \\[GATE-1\\] hides what is not allowed | SHOULD | ✓ | – <sup>1</sup> |',
        '| gate-refuses | \\[GATE-1\\] refuses what was hidden | MUST | ✗ <sup>3</sup> | ✓ |',
        '',
        '## forks',
        '',
        '| Check | Demands | Level | alpha | beta |',
        '| :-- | :-- | :-- | :-: | :-: |',
        '| stack-top | \\[ACT-6\\] leaves the top skill only | MUST | ✓ | ~ <sup>2</sup> |',
        '',
        '## Notes',
        '',
        '1. – **beta**, gate-hides: hiding: no hook for it',
        '2. ~ **beta**, stack-top: issue 12',
        '3. ✗ **alpha**, gate-refuses: in json: expected &lt;none&gt;, saw "Bash"<br>in sse: a \\| b',
        '',
      ].join('\n'),
    )
  })

  test('[CONF-3] keeps its tables and lists whatever the texts hold', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const lines = renderMarkdown(report).split('\n')
        const cells = (line: string) => line.replace(/\\./gu, '').split('|').length - 2
        const rows = lines.filter((line) => line.startsWith('|'))
        const totals = rows.length - 2 - report.checks.length
        expect(totals).toBeLessThanOrEqual(7)
        expect(rows.slice(0, totals).every((line) => cells(line) === 1 + report.adapters.length)).toBe(true)
        expect(rows.slice(totals).every((line) => cells(line) === 3 + report.adapters.length)).toBe(true)
        const others = lines.filter((line) => !line.startsWith('|') && line !== '')
        expect(others.every((line) => /^(?:# Conformance|## gate|## Notes|\d+\. .*)$/u.test(line))).toBe(true)
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
    variants: ['json'],
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

  test('[CONF-6] is told in the matrix, by its mark and a note', () => {
    const markdown = renderMarkdown(report)
    expect(markdown).toMatch(/gate-hides .*\| \(✓\) <sup>1<\/sup> \|/)
    expect(markdown).toContain('1. (✓) **alpha**, gate-hides: Worked around. hiding: by a wrapped model')
    expect(renderMarkdown(sampleReport)).not.toContain('(✓)')
    expect(JSON.parse(renderJson(report)).results[0]).toMatchObject({ workaround: 'hiding: by a wrapped model' })
  })

  test('[CONF-6] is told in a terminal, by its mark and how it is done', () => {
    const text = renderTerminal(report, { width: 70 })
    expect(text).toContain('\n (✓)   –    gate-hides    should: hides what is not allowed\n')
    expect(text).toContain('\n(✓) alpha  gate-hides\n    Worked around. hiding: by a wrapped model\n')
    expect(renderTerminal(sampleReport)).not.toContain('Worked around')
  })

  test('[CONF-3, CONF-11] is beside what differs in all checks or in some variants, in one cell with its aspects', () => {
    const more = { differs: 'usage: It counts.', absent: 'in sse: no signal', aspects: ['usage'] as const }
    const markdown = renderMarkdown({ ...sampleReport, results: [{ ...report.results[0]!, ...more }, ...others] })
    expect(markdown).toContain('| (✓) usage <sup>1, 2, 3</sup> |')
    expect(markdown).toContain('2. ~ **alpha**, gate-hides: Differs in all checks. usage: It counts.')
    expect(markdown).toContain('3. – **alpha**, gate-hides: Not applicable in sse: no signal')
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
  for (const name of ['one', 'two'])
    for (const render of [renderMarkdown, renderTerminal])
      expect(render({ ...sampleReport, leftOut })).toContain(`Not run: ${name} of alpha. ${reason}`)
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
      `not run (${variant})`,
      [{ name: 'skipped', attributes: new Map([['message', `n/a: ${reason}`]]), children: [], text: '' }],
    ]),
  )
})
