import { posix } from 'node:path'
import type { HostDriver } from '@repertoire/conformance/host'
import { createBashTool, experimental_createSkillTool } from 'bash-tool'
import { aiSdkHost } from '../ai-sdk.ts'
import { versionOf } from '../version.ts'

const PARSER = '"Minimal frontmatter parser. Only supports YAML (the `---` delimiter)" (its types).'

/** `experimental_createSkillTool` of bash-tool, with its shell over a copy of the skills. */
export const bashTool: HostDriver = {
  name: 'bash-tool',
  version: versionOf('bash-tool'),
  documentation: 'https://github.com/vercel-labs/bash-tool#skills-experimental',
  async start(task) {
    const { skill, files, instructions } = await experimental_createSkillTool({ skillsDirectory: task.folder })
    const { tools } = await createBashTool({ files, extraInstructions: instructions })
    return aiSdkHost(task, { skill, ...tools })
  },
  activate: (skill) => ({ tool: 'skill', input: { skillName: skill } }),
  reads: 'file tool',
  read: (skill, path) => ({ tool: 'readFile', input: { path: posix.join('skills', skill, path) } }),
  documented: { 'listing-bom': PARSER, 'activation-bom': PARSER },
}
