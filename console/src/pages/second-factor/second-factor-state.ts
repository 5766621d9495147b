import {
  SecondFactorsService,
  type SecondFactorsServiceGetResponse,
} from '@contract/millrace/account/v1/second_factors_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { clientOf } from '../../rpc/client.ts'

/** Calls the service of the account's second factor. */
export const secondFactorsClient = clientOf(SecondFactorsService)

/** The second factor of the account. */
export type SecondFactorState = SecondFactorsServiceGetResponse

/** Reads the second factor of the account. */
export function useSecondFactor() {
  return useQuery(() => ({
    queryKey: ['second-factor'],
    queryFn: async () => await secondFactorsClient.get({}),
  }))
}
