// Package services runs scenarios live on etcd, PostgreSQL, ZooKeeper and MariaDB. Package live has the rest, and
// gets these kinds of servers from [Add].
//
// Clients ask a service for the lock as one. Our own clients run in the world, with their protocols. A real server
// carries out each of their messages, sent by the service's official client, and then they get its answer. An adapter
// is a process with a connection to each server. The connection is a tunnel: the proxy does not read the bytes.
// ZooKeeper and MariaDB support adapters only.
//
// From top to bottom: services.go says what these kinds of servers can't do. etcd.go is a cluster of etcd, and
// postgres.go a PostgreSQL, whose transactions are the sessions of session.go. zookeeper.go is three servers of
// ZooKeeper, and mariadb.go a MariaDB. All read the lock's holder again and again, and record it in a ledger
// (ledger.go). All keep their adapters' connections in a network (tunnel.go). node.go defines a process on a host of
// the world.
package services
