import { describeStoreContract } from '../store/contract/describe-contract.ts';
import { openSubject } from './support/open-stores.ts';

describeStoreContract('PostgreSQL store', openSubject);
