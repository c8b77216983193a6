const [BELL, ESCAPE] = ['\u0007', '\u001B']

/** Colours and cursors (CSI), and titles (OSC), as ECMA-48 has them. */
const CODES = new RegExp(`${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\))`, 'g')

/** Returns what a program wrote without its codes for terminals. */
export function withoutTerminalCodes(text: string): string {
  return text.includes(ESCAPE) ? text.replace(CODES, '') : text
}
