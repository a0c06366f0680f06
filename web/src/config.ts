// The service's configuration, loaded once when the page opens.
import { createContext, use } from 'react';
import type { MarketConfig } from './market/types.js';

export const ConfigContext = createContext<MarketConfig | undefined>(undefined);

export function useConfig(): MarketConfig {
  const config = use(ConfigContext);
  if (config === undefined) throw new Error('useConfig outside of ConfigContext');
  return config;
}

export const chainName = ({ chain }: Pick<MarketConfig, 'chain'>) => chain.replace('solana:', '');
export const isLocal = ({ chain }: Pick<MarketConfig, 'chain'>) => chain === 'solana:localnet';
