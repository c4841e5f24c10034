import type { Files } from '../extension/packaging/package-files.ts';
import {
  findFrom,
  type LockedPackage,
  type LockFile,
  nameOf,
  serverPackages,
} from './lock-file.ts';

const NOTICES = /(^|\/)THIRD_PARTY_NOTICES\.txt$/;
/** A package's heading in them. */
const NOTICE = /^## (\S+) (?:- )?(\d\S*)/gm;

/**
 * Returns the CycloneDX bill of materials of a release: the packages that are installed with the server, and those
 * whose code the dashboard and the extension contain. Unlike that of `npm sbom`, it has neither a serial number nor a
 * date, and does not depend on the name of the folder and the version of npm.
 *
 * @see https://cyclonedx.org/docs/1.6/json/
 *
 * @param packages the files of each package of the release
 */
export function billOfMaterials(lock: LockFile, packages: Files[]): Buffer {
  const root = lock.packages[''] as LockedPackage;
  const bundled = packages.flatMap((files) => bundledPackages(lock, files));
  const shipped = new Map(
    [...serverPackages(lock), ...bundled].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  const refsOf = (path: string, each: LockedPackage) =>
    Object.keys({ ...each.dependencies, ...each.optionalDependencies, ...each.peerDependencies })
      .map((name) => findFrom(lock, path, name) ?? '')
      .flatMap((found) => refOf(found, shipped.get(found)) ?? []);
  const refsOfRoot = [...refsOf('', root), ...bundled.map(([path, each]) => refOf(path, each))];
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', ...describe('curt', root) } },
    components: [...shipped].map(([path, each]) => ({ type: 'library', ...describe(path, each) })),
    dependencies: [
      { ref: refOf('curt', root), dependsOn: [...new Set(refsOfRoot)].sort() },
      ...[...shipped].map(([path, each]) => ({
        ref: refOf(path, each),
        dependsOn: refsOf(path, each).sort(),
      })),
    ],
  };
  return Buffer.from(`${JSON.stringify(bill, null, 2)}\n`);
}

function refOf(path: string, locked: LockedPackage | undefined): string | undefined {
  return locked && `${nameOf(path)}@${locked.version}`;
}

function describe(path: string, { version, license, integrity, optional }: LockedPackage) {
  const name = nameOf(path);
  return {
    'bom-ref': `${name}@${version}`,
    name,
    version,
    // Optional packages have native code for one system each.
    scope: optional ? 'optional' : 'required',
    ...(license && { licenses: [{ license: { id: license } }] }),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(integrity && { hashes: [hashOf(integrity)] }),
  };
}

function hashOf(integrity: string): { alg: string; content: string } {
  const [, algorithm = '', hash = ''] = /^sha(\d+)-(\S+)/.exec(integrity) ?? [];
  return { alg: `SHA-${algorithm}`, content: Buffer.from(hash, 'base64').toString('hex') };
}

/** Of the code that a build contains. */
function bundledPackages(lock: LockFile, files: Files): [path: string, LockedPackage][] {
  const notices = Object.keys(files).filter((path) => NOTICES.test(path));
  return notices.flatMap((path) => {
    const text = new TextDecoder().decode(files[path]);
    return [...text.matchAll(NOTICE)].map(([, name, version]) => {
      const found = Object.entries(lock.packages).find(
        ([each, locked]) => nameOf(each) === name && locked.version === version,
      );
      if (found) return found;
      throw new Error(`The lock file has no ${name}@${version}, which ${path} names.`);
    });
  });
}
