import { showInvisible } from '@repertoire/core'
import { escapeXml } from '@repertoire/core/adapter'
import { matrixOf } from './matrix.ts'
import type { LeftOut, Report, Result } from './report.ts'

/**
 * A report as JUnit XML, for build servers: a suite for each adapter, a case for each check. Known failures and checks
 * that are not applicable count as skipped, with their reasons, and so does each variant that was not run. What an
 * adapter works around is the output of the case, and so are the variants that lack what the check needs, and what is told
 * and not judged.
 */
export function renderJUnit(report: Report): string {
  const { areas } = matrixOf(report)
  const { leftOut = [] } = report
  const suites = report.adapters.map((adapter, column) => {
    const cases = areas.flatMap(({ area, rows }) =>
      rows.flatMap(({ cells }) => {
        const result = cells[column]
        return result === undefined ? [] : [{ area, result }]
      }),
    )
    const notRun = leftOut.filter((each) => each.adapter === adapter)
    const results = cases.map(({ result }) => result)
    return [
      `  <testsuite name=${quoted(adapter)} ${countsOf(results, notRun)}>`,
      ...cases.flatMap(({ area, result }) => testCase(area, result)),
      ...notRun.flatMap(variantCase),
      '  </testsuite>',
    ]
  })
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="conformance" ${countsOf(report.results, leftOut)}>`,
    ...suites.flat(),
    '</testsuites>',
  ]
  return `${lines.join('\n')}\n`
}

function testCase(
  area: string,
  { adapter, id, level, title, status, reason = '', workaround, absent, differs, documented }: Result,
): string[] {
  const start = `    <testcase classname=${quoted(`${adapter}.${area}`)} name=${quoted(`${title} (${id})`)}`
  if (status === 'fail') {
    return withBody(
      start,
      `<failure type=${quoted(level)} message=${quoted(reason.split('\n', 1)[0]!)}>${text(reason)}</failure>`,
    )
  }
  if (status !== 'pass' && status !== 'told')
    return withBody(start, `<skipped message=${quoted(`${status}: ${reason}`)}/>`)
  const output = [
    ...(workaround === undefined ? [] : [`Worked around. ${workaround}`]),
    ...(differs === undefined ? [] : [`Differs in all checks. ${differs}`]),
    ...(absent === undefined ? [] : [`Not applicable ${absent}`]),
    ...(status === 'told' ? [reason] : []),
    ...(documented === undefined ? [] : [`Its documentation: ${documented}`]),
  ]
  if (output.length > 0) return withBody(start, `<system-out>${text(output.join('\n'))}</system-out>`)
  return [`${start}/>`]
}

/** A case for all checks of a variant that was not run. */
function variantCase({ adapter, variant, reason }: LeftOut): string[] {
  const start = `    <testcase classname=${quoted(`${adapter}.variants`)} name=${quoted(variant)}`
  return withBody(start, `<skipped message=${quoted(`not run: ${reason}`)}/>`)
}

function withBody(start: string, body: string): string[] {
  return [`${start}>`, `      ${body}`, '    </testcase>']
}

function countsOf(results: readonly Result[], notRun: readonly LeftOut[]): string {
  const failures = results.filter(({ status }) => status === 'fail').length
  const skipped = notRun.length + results.filter(({ status }) => status === 'known' || status === 'n/a').length
  return `tests="${results.length + notRun.length}" failures="${failures}" errors="0" skipped="${skipped}"`
}

function quoted(value: string): string {
  // A parser turns a line break inside an attribute into a space, unless it is written as a reference.
  return `"${text(value).replaceAll('\n', '&#10;')}"`
}

/** XML 1.0, "Characters": control characters, halves of surrogate pairs and two others cannot be written at all. */
function text(value: string): string {
  const lines = value.split(/\r?\n/).map((line) => showInvisible(line))
  return escapeXml(lines.join('\n')).replace(/[\uD800-\uDFFF\uFFFE\uFFFF]/gu, '\uFFFD')
}
