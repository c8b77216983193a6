const EXIT_CODE = /^(?:exit|return)_?code$/i

/** Whether a tool's result reports a failure, as tools that run programs commonly do. */
export function hasFailed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, item]) =>
      (EXIT_CODE.test(name) && typeof item === 'number' && item !== 0) || (name === 'isError' && item === true),
  )
}

/** The codes of an operating system where no file is at a path. */
const CODES: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])
const CODE_FIRST = /^(?:\w*Error: )?(?:ENOENT|ENOTDIR)(?=:|$)/

/** Whether what a tool threw or returned says that there is no file at a path, by the code of the operating system. */
export function isNotFound(result: unknown): boolean {
  if (typeof result === 'string') return CODE_FIRST.test(result)
  if (typeof result !== 'object' || result === null) return false
  const { code, message, cause, error } = result as Readonly<Record<string, unknown>>
  if (CODES.has(code) || (typeof message === 'string' && CODE_FIRST.test(message))) return true
  return [cause, error].some((inner) =>
    typeof inner === 'string' ? CODE_FIRST.test(inner) : CODES.has((inner as { code?: unknown } | null)?.code),
  )
}
