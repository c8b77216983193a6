/**
 * A tool's name in the form that names are compared in. Only A–Z are folded: a letter that merely looks or folds like
 * an ASCII one (the Kelvin sign, a dotted I) makes another name.
 */
export function foldTool(name: string): string {
  // To fold ASCII names at once matters: each rule is compared with each tool in every call.
  return /^[ -~]*$/.test(name) ? name.toLowerCase() : name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/**
 * The name under which a host knows the tool that was asked for: the exact one, else the only one that differs in case
 * alone.
 * @returns undefined if there is none, or where several differ in case alone
 */
export function canonicalTool(name: string, known: Iterable<string>): string | undefined {
  const wanted = foldTool(name)
  const alike = new Set(Array.from(known).filter((candidate) => foldTool(candidate) === wanted))
  if (alike.has(name)) return name
  return alike.size === 1 ? [...alike][0] : undefined
}

const MCP_SERVER = /^mcp__[^*]+__(?=\*$)/

/**
 * Whether the tool name of a rule speaks of a tool, whatever the rule's pattern. `mcp__<server>__*` speaks of every
 * tool of that server; its `*` matches no further `__`, so that it does not reach into a server whose
 * name begins with this one's. A `*` anywhere else makes a rule that speaks of nothing.
 */
export function namesTool(rule: string, tool: string): boolean {
  if (!rule.includes('*')) return foldTool(rule) === foldTool(tool)
  const server = MCP_SERVER.exec(foldTool(rule))?.[0]
  const wanted = foldTool(tool)
  if (server === undefined || !wanted.startsWith(server)) return false
  const rest = wanted.slice(server.length)
  return rest !== '' && !rest.includes('__')
}
