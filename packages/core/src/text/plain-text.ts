const BLANK = /\s/

/** Whether a UTF-16 code unit is white space, as `\s` has it: without an expression if it is one of ASCII. */
export function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return code >= 0xa0 && BLANK.test(String.fromCharCode(code))
}

const [BELL, ESCAPE] = ['\u0007', '\u001B']

/** Colours and cursors (CSI), and titles (OSC), as ECMA-48 has them. */
const CODES = new RegExp(`${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\))`, 'g')

export function withoutTerminalCodes(text: string): string {
  return text.includes(ESCAPE) ? text.replace(CODES, '') : text
}
