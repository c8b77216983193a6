import { posix } from 'node:path'
import { googleAI } from '@genkit-ai/google-genai'
import { filesystem, skills } from '@genkit-ai/middleware'
import type { HostDriver } from '@repertoire/conformance/host'
import { genkit as createGenkit, type MessageData } from 'genkit'
import { versionOf } from '../version.ts'

const FRONTMATTER = '"Automatically scans a directory for `SKILL.md` files (and their YAML frontmatter)" (README).'

/** The middleware `skills` of Genkit. The model reads files of skills with its middleware `filesystem`. */
export const genkit: HostDriver = {
  name: 'Genkit middleware',
  version: versionOf('@genkit-ai/middleware'),
  documentation: 'https://github.com/genkit-ai/genkit/tree/main/js/plugins/middleware#4-skills-middleware-skills',
  protocol: 'gemini',
  async start({ endpoint: { baseURL, apiKey, model }, folder, tools, instructions }) {
    const ai = createGenkit({ plugins: [googleAI({ apiKey, baseUrl: baseURL })] })
    const own = tools.map(({ name, description, inputSchema, ...given }) =>
      ai.dynamicTool({ name, description, inputJsonSchema: inputSchema }, (input) =>
        Promise.resolve(given.execute(input, { callId: '' })),
      ),
    )
    let messages: MessageData[] = [{ role: 'system', content: [{ text: instructions }] }]
    return {
      async send(prompt) {
        const use = [skills({ skillPaths: [folder] }), filesystem({ rootDirectory: folder })]
        const answer = await ai.generate({
          model: googleAI.model(model),
          messages,
          prompt,
          tools: own,
          use,
          maxTurns: 40,
        })
        messages = answer.messages
      },
    }
  },
  activate: (skill) => ({ tool: 'use_skill', input: { skillName: skill } }),
  reads: 'file tool',
  read: (skill, path) => ({ tool: 'read_file', input: { filePath: posix.join(skill, path) } }),
  documented: {
    'listing-folded-text': FRONTMATTER,
    'listing-plain-lines': FRONTMATTER,
    'listing-literal-text': FRONTMATTER,
    'listing-double-quoted': FRONTMATTER,
    'listing-single-quoted': FRONTMATTER,
    'listing-bom': FRONTMATTER,
    'listing-nothing-to-list': '"It also provides a `use_skill` tool" (README).',
  },
}
