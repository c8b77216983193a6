/**
 * Lets a client send these headers alone. The packages of OpenAI and Anthropic add those of an environment variable,
 * made for another endpoint perhaps, and have no option against it.
 */
export function sendOnly(client: object, headers: Readonly<Record<string, string | null>>): void {
  const { _options: options } = client as { readonly _options: { defaultHeaders: unknown } }
  options.defaultHeaders = headers
}
