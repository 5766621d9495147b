import { createClient } from '@connectrpc/connect'
import { CustomersService } from '@contract/dashboard/customers/v1/customers_service_pb.js'
import { transport } from '../transport.ts'

/** Who is signed in. */
export const customersClient = createClient(CustomersService, transport)
