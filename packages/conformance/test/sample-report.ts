import type { Report, Result, Status } from '../src/report/report.ts'

const checks = [
  { id: 'gate-hides', level: 'SHOULD', title: '[GATE-1] hides what is not allowed', area: 'gate' },
  { id: 'gate-refuses', level: 'MUST', title: '[GATE-1] refuses what was hidden', area: 'gate' },
  { id: 'stack-top', level: 'MUST', title: '[ACT-6] leaves the top skill only', area: 'forks' },
] as const

const row = (adapter: string, index: 0 | 1 | 2, status: Status, reason?: string): Result => {
  const { id, level, title } = checks[index]
  return { adapter, id, level, title, status, reason, variants: ['json'] }
}

/** A report with a result of every status. */
export const sampleReport: Report = {
  adapters: ['alpha', 'beta'],
  checks,
  results: [
    row('alpha', 0, 'pass'),
    row('alpha', 1, 'fail', 'in json: expected <none>, saw "Bash"\nin sse: a | b'),
    row('alpha', 2, 'pass'),
    row('beta', 0, 'n/a', 'hiding: no hook for it'),
    row('beta', 1, 'pass'),
    row('beta', 2, 'known', 'issue 12'),
  ],
}
