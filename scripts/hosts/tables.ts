import type { Report, Result } from '@repertoire/conformance'

const MARKS: Readonly<Record<Result['status'], string>> = { pass: '✓', fail: '✗', known: '✗', 'n/a': '–', told: '' }

/** What the tables need of a report, as `repertoire conformance --json` writes it. */
export type HostReport = Pick<Report, 'hosts' | 'results'>

/** Returns the table of `docs/other-loaders.md`, made from one report for each system. */
export function hostSummary(reports: readonly HostReport[], date = new Date().toISOString().slice(0, 10)): string {
  return [
    `Judged on ${date}.\n`,
    '| system | version | MUST | SHOULD | n/a |',
    '| --- | --- | --- | --- | --- |',
    ...reports
      .map((report) => columnOf(report))
      .map(
        ({ host, passed, absent }) =>
          `| [${host.name}](${host.documentation}) | ${host.version} | ${passed('MUST')} | ${passed('SHOULD')} | ${absent} |`,
      ),
  ].join('\n')
}

/** Returns what "repertoire check" knows of other systems. Our own is not among them. */
export function hostFacts(reports: readonly HostReport[], date = new Date().toISOString().slice(0, 10)): object {
  const columns = reports.map((report) => columnOf(report)).filter(({ host }) => !host.name.startsWith('Repertoire'))
  const systems = columns.map(({ host: { name, version }, results, of }) => ({
    name,
    version,
    fails: results.filter(({ status }) => status === 'fail').map(({ id }) => id),
    told: Object.fromEntries(
      ['told-name-mismatch', 'told-manual-only', 'told-unlisted-tool'].map((id) => [id, of(id)?.reason ?? '']),
    ),
  }))
  return { date, systems }
}

/** Returns the page `hosts/results.md`: what failed in each system, and why. */
export function hostResults(reports: readonly HostReport[]): string {
  const columns = reports.map((report) => columnOf(report))
  const checks = reports[0]?.results ?? []
  const differing = checks.filter(({ id }) => columns.some((column) => column.of(id)?.status === 'fail'))
  return [
    '# Results of other loaders\n',
    '`npm run hosts -- --write` makes this page. [Other loaders](../docs/other-loaders.md) says how to read it.\n',
    '## Checks that not all of them pass\n',
    'Every other check passes in every system that it can judge. `–`: not applicable.\n',
    `| check | level | ${columns.map(({ host }) => host.name).join(' | ')} |`,
    `| --- | --- | ${columns.map(() => '---').join(' | ')} |`,
    ...differing.map(
      ({ id, level }) =>
        `| \`${id}\` | ${level} | ${columns.map((column) => MARKS[column.of(id)?.status ?? 'n/a']).join(' | ')} |`,
    ),
    ...columns.map((column) => sectionOf(column)),
    '',
  ].join('\n')
}

function columnOf({ hosts = [], results }: HostReport) {
  const [host] = hosts
  if (host === undefined)
    throw new Error('A report has no host. Make it with: repertoire conformance --host FILE --json')
  const judged = (level: string) =>
    results.filter((each) => each.level === level && /^(?:pass|fail)$/.test(each.status))
  return {
    host,
    results,
    of: (id: string) => results.find((each) => each.id === id),
    passed: (level: string) =>
      `${judged(level).filter(({ status }) => status === 'pass').length} of ${judged(level).length}`,
    absent: results.filter(({ status }) => status === 'n/a').length,
  }
}

/** What failed in one system and why, and the rows that are told. */
function sectionOf({ host, results }: ReturnType<typeof columnOf>): string {
  const failed = results.filter(({ status }) => status === 'fail')
  const told = results.filter(({ status }) => status === 'told')
  return [
    `\n### ${host.name} ${host.version}\n`,
    ...failed.map(
      (each) =>
        `- ✗ \`${each.id}\` (${demands(each)}): ${code(each.reason ?? '')}${each.documented === undefined ? ' Not documented.' : ` Its documentation: ${each.documented}`}`,
    ),
    ...(failed.length === 0 ? ['Every check passes that can judge it.'] : []),
    '\n| not judged | seen |',
    '| --- | --- |',
    ...told.map((each) => `| ${cell(demands(each))} | ${cell(each.reason ?? '')} |`),
  ].join('\n')
}

function demands({ title }: Result): string {
  return title.replace(/^\[[^\]]*\] /, '')
}

/** A reason on one line, as code: it may quote markup of a skill. Words that are made for one run have no meaning. */
function code(reason: string): string {
  const line = reason
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/zq[a-z]{12}/g, 'WORD')
    .replaceAll(/\/\S*repertoire-host-\w+/g, 'FOLDER')
  const fence = '`'.repeat(1 + Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length)))
  return fence.length === 1 ? `\`${line}\`` : `${fence} ${line} ${fence}`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
