import { expect } from 'vitest'

/** What each example prints, in this order. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'hono-redis': [
    'Process 1: "", active: []',
    'It asks about "refunds"',
    'Process 2: "You get 40 euros back.", active: [refunds]',
    'Tea, 40 euros',
    'Process 1: "A colleague will pay it out.", active: [refunds]',
    'TOOL_NOT_ALLOWED',
  ],
  evals: [
    '| refunds | scripted, react-loop | 2/3 = 67 % (21–94) | 0/2 = 0 % (0–66)',
    '- refunds/case-3 "They took the 40 euros twice." (scripted, react-loop, run 1): listed.',
  ],
  langgraph: [
    'I need two skills.',
    'The thread waits for 2 answers.',
    'Activate the skill "release-notes"?',
    'Activate the skill "house-style"?',
    '[activate_skill]',
    '[Bash] {"error":{"code":"TOOL_NOT_ALLOWED"',
    '[Read] - export tables as CSV',
    'Version 2.0 exports tables as CSV.',
    'You are welcome.',
    "Active: [ 'release-notes', 'house-style' ]",
    'Active after the task: []',
  ],
  mcp: [
    "Skills of the server: [ 'refunds' ]",
    'mcp:support-team/skill://refunds',
    'Refund at most 50 euros',
    'Refunded 40 euros of order 7.',
    'Activate the skill "refunds"?',
    'CONSENT_DENIED',
    'I may not use the skill "refunds" at the moment.',
  ],
  mastra: [
    'Activate the skill "refunds"?',
    '[activate_skill]',
    '[Cancel] {"error":{"code":"TOOL_NOT_ALLOWED"',
    '[Order] Order 7: tea, 40 euros, paid',
    'Refund {"order":"7","euros":40}?',
    '[Refund] Refunded 40 euros of order 7.',
    'Dear customer, You get 40 euros back.',
  ],
  'openai-agents': [
    'Activate the skill "refunds"?',
    '[activate_skill]',
    'Front desk hands over to Billing.',
    '[Cancel] {"error":{"code":"TOOL_NOT_ALLOWED"',
    '[Order] Order 7: tea, 40 euros, paid',
    'Refund {"order":"7","euros":40}?',
    '[Refund] Refunded 40 euros of order 7.',
    'Billing: You get 40 euros back.',
    'Billing hands over to Front desk.',
    '[Cancel] {"error":{"code":"TOOL_NOT_ALLOWED"',
    'Front desk: I may not cancel an order while I handle a refund.',
  ],
  sandbox: [
    'scripts:       scripts/check.sh, scripts/report.sh',
    'contract.md: 10 words',
    'The key of the host: not there',
    'The payroll: hidden',
    'The contract has 10 words, the notes have 6.',
    'The notes, afterwards: We meet on Monday at nine.',
  ],
  worker: [
    "Embedded: [ 'unit-prices' ]",
    'All prices are in euros, with VAT.',
    'TOOL_NOT_ALLOWED',
    '- 12.50',
    'Tea costs 12.50 euros, with VAT.',
  ],
}

/** Checks that an example printed what it is there to show. */
export function expectOutput(name: string, output: string): void {
  let from = 0
  for (const text of EXPECTED[name]!) {
    expect(output.slice(from)).toContain(text)
    from = output.indexOf(text, from) + text.length
  }
}
