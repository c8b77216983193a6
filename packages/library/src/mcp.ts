/**
 * `@repertoire/library/mcp`: skills of servers that speak Skills over MCP, and a server of one's own. Needs the peers
 * `@modelcontextprotocol/client` or `@modelcontextprotocol/server`, each imported when it is first used.
 */
export type { McpConnection } from './origins/mcp/remote-skills.ts'
export { serveSkillsOverHttp, type ServeHttpOptions } from './origins/mcp/serve-http.ts'
export {
  attachSkills,
  serveSkillsOverStdio,
  type HttpSkillsServer,
  type ServeOptions,
  type ServeStdioOptions,
  type SkillsServer,
} from './origins/mcp/serve.ts'
export type { ServedView, UnservedSkill } from './origins/mcp/served-skills.ts'
export { mcpSource, type McpSourceOptions } from './origins/mcp/source.ts'
