/**
 * Makes a client send only these headers. The packages of OpenAI and Anthropic add headers from an environment
 * variable, perhaps meant for another endpoint, and have no option to prevent it.
 */
export function sendOnly(client: object, headers: Readonly<Record<string, string | null>>): void {
  const { _options: options } = client as { readonly _options: { defaultHeaders: unknown } }
  options.defaultHeaders = headers
}
