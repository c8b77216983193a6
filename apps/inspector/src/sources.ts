/** Takes a piece of a log. `end`: it is the last. */
export type Take = (text: string, end: boolean) => void

/** Reads a log that the page's file holds: gzip in base64. */
export async function readEmbedded(data: string, take: Take): Promise<void> {
  const bytes = bytesOf(data)
  await readStream(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')), take)
}

/** Reads a log from the command. */
export async function readServed(url: string, key: string, take: Take): Promise<void> {
  await readStream(await fetchStream(url, key), take)
}

/** How long to wait before the next try when the command does not answer, in milliseconds. */
const RETRY_MS = 1_000

/** Follows running agents, by server-sent events. `missed`: the events that the command did not keep. */
export async function readFollowed(
  url: string,
  key: string,
  take: (text: string) => void,
  told: (state: { readonly live: boolean; readonly missed: number }) => void,
): Promise<void> {
  let last = 0
  let missed = 0
  for (;;) {
    try {
      const stream = await fetchStream(`${url}?after=${last}`, key)
      told({ live: true, missed })
      await readStream(
        stream,
        serverSentEvents((id, data) => {
          if (id > last + 1) told({ live: true, missed: (missed += id - last - 1) })
          last = id
          take(`${data}\n`)
        }),
      )
    } catch (error) {
      if (error instanceof RefusedError) throw error
    }
    told({ live: false, missed })
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS)
    })
  }
}

/** Reads the fields of server-sent events from pieces of a stream. */
function serverSentEvents(receive: (id: number, data: string) => void): Take {
  let rest = ''
  return (text) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
      )
      const data = fields.get('data')
      if (data !== undefined) receive(Number(fields.get('id') ?? 0), data)
    }
  }
}

/** The command does not accept the key. */
class RefusedError extends Error {}

async function fetchStream(url: string, key: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}` },
    cache: 'no-store',
    credentials: 'omit',
  })
  if (response.status === 401 || response.status === 403) {
    throw new RefusedError('The command does not accept this address. Open the one that it printed, with its key.')
  }
  if (!response.ok || response.body === null)
    throw new Error(`The log cannot be read: the command answered ${response.status}.`)
  return response.body
}

/** How long a log is read before the page's questions are answered, in milliseconds. */
const TURN_MS = 50

async function readStream(stream: ReadableStream<Uint8Array<ArrayBuffer>>, take: Take): Promise<void> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  // The first piece is shown at once.
  let until = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    take(decoder.decode(value, { stream: true }), false)
    if (performance.now() < until) continue
    await nextTurn()
    until = performance.now() + TURN_MS
  }
  take(decoder.decode(), true)
}

/** Lets waiting messages be handled. A timer would wait longer. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }
  if (fromBase64 !== undefined) return fromBase64.call(Uint8Array, base64)
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
