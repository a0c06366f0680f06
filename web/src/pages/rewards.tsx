export default function RewardsPage() {
  return null;
}
