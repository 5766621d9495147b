import type { DescService } from '@bufbuild/protobuf'
import { type Client, createClient, type Transport } from '@connectrpc/connect'
import { publicTransport, transport } from './transport.ts'

const clients = new Map<string, unknown>()

/** The client of a service; a page loads the descriptors of the services that it passes, and no others. */
export function clientOf<S extends DescService>(service: S): Client<S> {
  const existing = clients.get(service.typeName)
  // The key names the descriptor that the client was created from.
  if (existing !== undefined) return existing as Client<S>
  const client = createClient(service, transportOf(service))
  clients.set(service.typeName, client)
  return client
}

/** Public services take no credential, and must not receive the token of the signed-in user. */
function transportOf({ typeName }: DescService): Transport {
  return typeName.startsWith('public.') ? publicTransport : transport
}
