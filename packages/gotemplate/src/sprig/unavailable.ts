import { type FuncMap, Unavailable } from '../value/func.ts';

const environment = new Unavailable('templates do not see the environment: put the value into their data');
const network = new Unavailable('templates do not use the network');
const keys = new Unavailable('templates do not make keys or certificates: do it elsewhere');
const passwords = new Unavailable('templates do not make or hash passwords: do it elsewhere');
const encryption = new Unavailable('templates do not encrypt or decrypt: do it elsewhere');

/** Functions of sprig that are not available, with the reason. */
export const unavailable: FuncMap = {
  env: environment,
  expandenv: environment,
  getHostByName: network,
  genPrivateKey: keys,
  genCA: keys,
  genCAWithKey: keys,
  genSelfSignedCert: keys,
  genSelfSignedCertWithKey: keys,
  genSignedCert: keys,
  genSignedCertWithKey: keys,
  buildCustomCert: keys,
  derivePassword: passwords,
  bcrypt: passwords,
  htpasswd: passwords,
  encryptAES: encryption,
  decryptAES: encryption,
};
