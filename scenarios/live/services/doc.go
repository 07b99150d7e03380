// Package services runs scenarios live on etcd, PostgreSQL, ZooKeeper and MariaDB. Package live has the rest, and takes these
// kinds of servers from [Add].
//
// Clients ask a service for the lock as one. Clients of ours are the world's, as their protocols are: each of their messages is
// carried out by a real server, by the service's official client, and answered when that has been done. An adapter is a
// process with a connection to each server, which is a tunnel: the proxy does not read what passes. ZooKeeper and MariaDB are for
// adapters alone.
//
// From top to bottom: services.go says what these kinds of servers can't have; etcd.go is a cluster of etcd, and postgres.go a
// PostgreSQL, whose transactions are the sessions of session.go; zookeeper.go is three servers of ZooKeeper, and mariadb.go a
// MariaDB. All read who has the lock again and again, and write that down in a ledger (ledger.go); all have their adapters'
// connections in a network (tunnel.go). What a process on a host of the world is, node.go says.
package services
