import { showInvisible } from '@repertoire/core'
import { escapeXml } from '@repertoire/core/adapter'
import { remarksOf } from './matrix.ts'
import type { Report, Result } from './report.ts'

/**
 * A report as JUnit XML, for build servers: a suite for each adapter, a case for each check. Known failures and checks
 * that are not applicable count as skipped, with their reasons, and so does each variant that was not run. What else
 * there is to say about a check is the output of its case.
 */
export function renderJUnit({ adapters, checks, results, leftOut = [] }: Report): string {
  const areas = new Map(checks.map(({ id, area }) => [id, area]))
  const notRun = leftOut.map(({ adapter, variant, reason }): Result => {
    return { adapter, id: variant, level: 'MUST', title: 'not run', status: 'n/a', reason }
  })
  const all = [...results, ...notRun]
  const suites = adapters.flatMap((adapter) => {
    const own = all.filter((result) => result.adapter === adapter)
    const cases = own.map((result) => caseOf(result, areas.get(result.id) ?? 'variants'))
    return [`  <testsuite name=${quoted(adapter)} ${countsOf(own)}>`, ...cases, '  </testsuite>']
  })
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conformance" ${countsOf(all)}>`
  return `${[head, ...suites, '</testsuites>'].join('\n')}\n`
}

function caseOf(result: Result, area: string): string {
  const { adapter, id, level, title, status, reason = '' } = result
  const start = `    <testcase classname=${quoted(`${adapter}.${area}`)} name=${quoted(`${title} (${id})`)}`
  const body = (element: string): string => `${start}>\n      ${element}\n    </testcase>`
  const output = remarksOf(result)
    .map((remark) => remark.text)
    .join('\n')
  if (status === 'fail') {
    const message = quoted(reason.split('\n', 1)[0]!)
    return body(`<failure type=${quoted(level)} message=${message}>${text(output)}</failure>`)
  }
  if (status === 'known' || status === 'n/a') return body(`<skipped message=${quoted(`${status}: ${reason}`)}/>`)
  return output === '' ? `${start}/>` : body(`<system-out>${text(output)}</system-out>`)
}

function countsOf(results: readonly Result[]): string {
  const count = (...of: readonly string[]): number => results.filter(({ status }) => of.includes(status)).length
  return `tests="${results.length}" failures="${count('fail')}" errors="0" skipped="${count('known', 'n/a')}"`
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
