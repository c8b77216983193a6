import type { HostDriver } from '@repertoire/conformance/host'
import { createAgent, version } from './my-agent.ts'

export const myHost: HostDriver = {
  name: 'my agent',
  version,
  documentation: 'https://example.com/docs/skills',
  place: '.agents/skills',
  async start({ endpoint, workspace, instructions, tools, onConsent }) {
    const agent = createAgent({ ...endpoint, cwd: workspace, instructions, tools, approve: onConsent })
    return { send: (text) => agent.chat(text), end: () => agent.close() }
  },
  activate: (skill) => ({ tool: 'skill', input: { name: skill } }),
  read: (skill, path) => ({ tool: 'read_skill_file', input: { name: skill, path } }),
  documented: { 'consent-no-obeyed': '"The agent asks before it loads a skill."' },
}
