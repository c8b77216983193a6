import { expect, test } from 'vitest'
import { bash } from '../../rules.ts'

/** Commands that a rule permits, and others that it does not. */
export interface Cases {
  /** The rule's pattern. */
  readonly rule: string
  /** One in a line. */
  readonly permitted: string
  /** One in a line; a quote that is open goes on in the next one. */
  readonly refused: string
}

/** Tests what rules with a prefix permit. What they do not permit, a rule of exactly these words does. */
export function testCases(cases: readonly Cases[]): void {
  for (const { rule, permitted, refused } of cases) {
    test.each(commandsOf(permitted))(`[GATE-15] Bash(${rule}) permits %s`, async (command) => {
      expect(await bash([`Bash(${rule})`], command)).toBe(true)
    })

    test.each(commandsOf(refused))(
      `[GATE-15, ABUSE-41, ABUSE-130] Bash(${rule}) does not permit %s`,
      async (command) => {
        const name = command.split(' ', 1)[0]!
        const own = rule.startsWith(`${name}:`) || rule.startsWith(`${name} `) ? rule : `${name}:*`
        expect(await bash([`Bash(${own})`], command)).toBe(false)
        // Otherwise it would be refused by its form alone.
        expect(await bash([`Bash(${command})`], command)).toBe(true)
      },
    )
  }
}

function commandsOf(text: string): readonly string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.reduce<readonly string[]>((commands, line) => {
    const isOpen = (commands.at(-1)?.match(/'/g) ?? []).length % 2 === 1
    return isOpen ? [...commands.slice(0, -1), `${commands.at(-1)!}\n${line}`] : [...commands, line]
  }, [])
}
