import { fault, type HostFault } from './faults/break.ts'
import type { ToyRequest } from './toy-host.ts'

/** Checks that need a list. */
const LIST = /^(?:listing|broken|isolation|reload)-/
/** Checks that need the text of a skill. */
const BODY = /^(?:activation|history|isolation|reload)-/

/** A list as a picture: the text is in its bytes, where no model reads it. */
function picture(text: string): unknown {
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from(text).toString('base64')}` } }
}

/** Puts the list where no model reads it. */
function hiding(write: (request: ToyRequest, list: string) => object): HostFault['change'] {
  return ({ list }) => {
    let shown = ''
    return {
      list(skills) {
        shown = list(skills)
        return ''
      },
      body: (request) => write(request, shown) as ToyRequest,
    }
  }
}

/** Toy hosts that claim to do what they do not do. */
export const hostLies: readonly HostFault[] = [
  fault(
    'shows the list in a picture',
    ['listing-name-and-description', 'listing-bom', 'broken-yaml', 'reload-added'],
    hiding((request, list) => {
      const [system, ...others] = request.messages
      return { ...request, messages: [system!, { role: 'user', content: [picture(list)] }, ...others] }
    }),
    { implies: LIST },
  ),
  fault(
    'puts the list into a field of the request that no model reads',
    ['listing-name-and-description', 'listing-bom', 'broken-yaml', 'reload-added'],
    hiding((request, list) => ({ ...request, metadata: { skills: list.slice(0, 500) } })),
    { implies: LIST },
  ),
  fault(
    'shows the list in a request beside the conversation',
    ['listing-name-and-description', 'listing-no-bodies', 'isolation-new-conversation'],
    ({ send }) => ({
      async send(request, task) {
        const [system, ...messages] = request.messages
        const content = String(system!.content).replace(/<skills>[^]*/, '')
        const answer = await send({ ...request, messages: [{ ...system!, content }, ...messages] }, task)
        // The conversation is over, and only now the list is shown.
        if (answer.tool_calls === undefined) await send(request, task)
        return answer
      },
    }),
    { implies: /^(?:listing|broken|isolation|reload|consent-listing)-/ },
  ),
  fault(
    'pretends to have run a tool',
    ['history-result-verbatim', 'history-parallel-results', 'history-wire-valid'],
    () => ({ run: async () => 'Nothing was found.' }),
  ),
  fault(
    'says that a skill is loaded and shows none of it',
    ['activation-body', 'activation-twice', 'history-body-kept', 'reload-body'],
    ({ activate }) => ({
      async activate(skills, name, task) {
        await activate(skills, name, task)
        return `The skill ${name} is loaded.`
      },
    }),
    { implies: BODY },
  ),
  fault(
    'says that a skill is loaded that does not exist',
    ['activation-unknown-told', 'activation-constructor'],
    ({ activate }) => ({
      async activate(skills, name, task) {
        const text = await activate(skills, name, task)
        return text.startsWith('Error: there is no skill') ? `The skill ${name} is loaded.` : text
      },
    }),
  ),
  fault(
    'makes up the content of files',
    ['resources-read', 'resources-missing-told', 'reload-resource'],
    () => ({ read: async (_, name, path) => `This is the file ${path} of ${name}.` }),
    { implies: /^resources-/ },
  ),
  fault('runs a tool twice and shows one result', ['history-result-verbatim', 'history-wire-valid'], ({ run }) => ({
    async run(tool, input, callId) {
      await run(tool, input, callId)
      return run(tool, input, callId)
    },
  })),
]
