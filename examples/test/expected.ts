import { expect } from 'vitest'

/** What each example prints, in this order. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
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
}

/** Checks that an example printed what it is there to show. */
export function expectOutput(name: string, output: string): void {
  let from = 0
  for (const text of EXPECTED[name]!) {
    expect(output.slice(from)).toContain(text)
    from = output.indexOf(text, from) + text.length
  }
}
