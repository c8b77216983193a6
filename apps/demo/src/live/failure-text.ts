import type { UpstreamFailure } from './upstream.ts'

/** The command-line options that an explanation mentions. */
interface CommandOptions {
  readonly baseURL: string
  readonly model: string
  /** The environment variable with the key. */
  readonly apiKeyEnv?: string
}

/** Explains a failure of the user's endpoint, and what to do about it. */
export function failureText({ kind, status, message }: UpstreamFailure, options: CommandOptions): string {
  if (kind === 'unreachable') {
    return `${options.baseURL} cannot be reached: ${sentence(message)} Start the endpoint, or correct --base-url.`
  }
  if (kind === 'broken') return `The endpoint's answer broke off: ${sentence(message)} Run it again.`
  if (kind === 'unread') return `A request could not be read for the display: ${sentence(message)}`
  const said =
    message === ''
      ? `${options.baseURL} answered ${status}.`
      : `${options.baseURL} answered ${status}: ${sentence(message)}`
  return `${said} ${adviceFor(status ?? 0, options)}`
}

function adviceFor(status: number, { model, apiKeyEnv }: CommandOptions): string {
  if (status === 401 || status === 403) {
    return apiKeyEnv === undefined
      ? 'Put its key into a variable of the environment, and name that with --api-key-env.'
      : `Check the key in ${apiKeyEnv}.`
  }
  if (status === 404) return `Check --base-url, which mostly ends in "/v1", and whether there is a model "${model}".`
  if (status === 400) return `Check whether "${model}" can call tools.`
  if (status === 429) return 'Wait a little, or look at the limits of your account.'
  return status >= 500 ? "The endpoint's own log says more." : 'Correct --base-url.'
}

function sentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return /[.!?]$/.test(line) ? line : `${line}.`
}
