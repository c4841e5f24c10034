import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../../server/store/postgres/database/migrate.ts';
import { startCluster } from './cluster.ts';
import { TEMPLATE } from './databases.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL server that all test files share: the URL of its database for administration. */
    postgresUrl: string;
  }
}

/** Starts PostgreSQL for all tests of a project, with a database that `newDatabase` copies. */
export default async function setup(project: TestProject) {
  const cluster = await startCluster();
  const administration = new pg.Client(cluster.url('postgres'));
  await administration.connect();
  await administration.query(`CREATE DATABASE ${TEMPLATE}`);
  await administration.end();
  const template = new pg.Client(cluster.url(TEMPLATE));
  await template.connect();
  await migrate(template);
  await template.end();
  project.provide('postgresUrl', cluster.url('postgres'));
  return () => cluster.remove();
}
